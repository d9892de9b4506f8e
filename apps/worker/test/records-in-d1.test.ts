import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COST, MODEL, startPricedUpstream, type PricedUpstream } from './priced-upstream.ts'
import { startWorker, type RunningWorker } from './workerd.ts'

const ADMIN = 'admin-key-of-at-least-32-characters'
const KEY = 'sk-of-the-variable'
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dragoman-worker-'))

let upstream: PricedUpstream
let worker: RunningWorker
beforeAll(async () => {
  upstream = await startPricedUpstream()
  const provider = { OPENAI_API_KEY: 'sk-upstream', OPENAI_BASE_URL: upstream.url }
  const keys = { DRAGOMAN_KEYS: KEY, DRAGOMAN_ADMIN_KEY: ADMIN }
  worker = await startWorker({ ...keys, ...provider }, undefined, { folder, d1: 'records' })
})
afterAll(async () => {
  await worker.stop()
  upstream.stop()
  rmSync(folder, { recursive: true, maxRetries: 9 })
})

const ask = async (path: string, secret: string, body?: object): Promise<Response> =>
  fetch(worker.url + path, {
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })

it('a call is moved to D1 by itself, and every question about it is answered from there', async () => {
  const messages = [{ role: 'user', content: 'hi' }]
  const answer = await ask('/api/v1/chat/completions', KEY, { model: MODEL, messages, max_completion_tokens: 5 })
  expect(answer.status).toBe(200)
  const id = answer.headers.get('x-request-id') ?? ''
  const rows = () => worker.query('SELECT id, key, model, cost_nanos FROM dragoman_records').catch(() => [])
  await expect.poll(rows).toEqual([{ id: id.slice('req_'.length), key: 'key-1', model: MODEL, cost_nanos: 8000 }])

  // The sums stay in the object. Single records are those in D1, as a changed column shows.
  await worker.query(`UPDATE dragoman_records SET status = 299`)
  const usage = await ask('/admin/v1/usage?by=key,model', ADMIN)
  expect(await usage.json()).toMatchObject({ rows: [{ key: 'key-1', model: MODEL, calls: 1, cost: COST }] })
  const generation = await ask(`/api/v1/generation?id=${id}`, KEY)
  expect(await generation.json()).toMatchObject({ data: { id, model: MODEL, status: 299, total_cost: Number(COST) } })
  const record = await ask(`/admin/v1/records/${id}`, ADMIN)
  expect(await record.json()).toMatchObject({ record: { id, key: 'key-1', status: 299, cost: COST } })
  const all = await ask('/admin/v1/records', ADMIN)
  expect(await all.json()).toMatchObject({ records: [{ id, status: 299 }] })
})
