import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COST, HOLD, MODEL, startPricedUpstream, type PricedUpstream } from './priced-upstream.ts'
import { startWorker, type RunningWorker } from './workerd.ts'

const run = promisify(execFile)
const COMMAND = join(import.meta.dirname, '../../server/src/dragoman.ts')
const ADMIN = 'admin-key-of-at-least-32-characters'
/** In memory, where the system has such a folder: tests do not wait for the disk. */
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dragoman-worker-'))

let upstream: PricedUpstream
let worker: RunningWorker
const start = () =>
  startWorker(
    {
      DRAGOMAN_KEYS: 'sk-of-the-variable',
      DRAGOMAN_ADMIN_KEY: ADMIN,
      OPENAI_API_KEY: 'sk-upstream',
      OPENAI_BASE_URL: upstream.url,
    },
    undefined,
    { folder },
  )
beforeAll(async () => {
  upstream = await startPricedUpstream()
  worker = await start()
})
afterAll(async () => {
  await worker.stop()
  upstream.stop()
  rmSync(folder, { recursive: true, maxRetries: 9 })
})

const chat = (secret: string, more: object = {}, init: RequestInit = {}): Promise<Response> =>
  fetch(`${worker.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      messages: [{ role: 'user', content: 'hi' }],
      max_completion_tokens: 5,
      ...more,
    }),
    ...init,
  })

/** What the tests read of answers of the admin API. */
interface Answered {
  readonly status: number
  readonly secret: string
  readonly key: { readonly id: string }
  readonly record: { readonly cost: string }
  readonly records: readonly { readonly key: string }[]
  readonly rows: readonly { readonly calls: number; readonly cost: string }[]
  readonly budgets: readonly { readonly spent: string }[]
  readonly entries: readonly object[]
  readonly request: string
}

const admin = async (path: string, method = 'GET', body?: object, secret = ADMIN): Promise<Answered> => {
  const init = { method, headers: { authorization: `Bearer ${secret}` } }
  const answer = await fetch(`${worker.url}/admin/v1${path}`, body ? { ...init, body: JSON.stringify(body) } : init)
  return { ...((await answer.json()) as Answered), status: answer.status }
}

const create = async (settings: object = {}): Promise<{ id: string; secret: string }> => {
  const { status, key, secret } = await admin('/keys', 'POST', { name: 'test', ...settings })
  expect(status).toBe(201)
  return { id: key.id, secret }
}

/** Asks until the answer is as expected: settling takes a moment. */
const until = async <T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> => {
  for (;;) {
    const answer = await ask()
    if (isDone(answer)) return answer
    await pause(50)
  }
}

const usageOf = async (key: string): Promise<Answered['rows'][number]> =>
  (await admin(`/usage?key=${key}`)).rows[0] ?? { calls: 0, cost: '0' }

describe('accounts in workerd', () => {
  it('have an admin key that manages keys and cannot call models', async () => {
    expect((await chat(ADMIN)).status).toBe(403)
    const both = await create({ scopes: ['inference', 'admin'] })
    expect((await chat(both.secret)).status).toBe(200)
  })

  it('record what a call costs, under its key, to the nano-dollar', async () => {
    const { id, secret } = await create({ budgets: { day: '1' } })
    const answer = await chat(secret)
    expect(answer.status).toBe(200)
    const path = `/records/${answer.headers.get('x-request-id')}`
    const { record } = await until(
      () => admin(path),
      ({ status }) => status === 200,
    )
    expect(record).toMatchObject({ key: id, model: MODEL, outcome: 'complete', cost: COST })
    expect(await usageOf(id)).toMatchObject({ calls: 1, inputTokens: 10, outputTokens: 5, cost: COST })
    expect((await admin(`/keys/${id}`)).budgets).toMatchObject([{ limit: '1', spent: COST }])
  })

  it('record calls with a key of the variable', async () => {
    const before = await usageOf('key-1')
    expect((await chat('sk-of-the-variable')).status).toBe(200)
    await until(
      () => usageOf('key-1'),
      ({ calls }) => calls === before.calls + 1,
    )
  })

  it('refuse above a limit, with the headers that SDKs read', async () => {
    const { secret } = await create({ limits: { requestsPerMinute: 1 } })
    const [first, second] = [await chat(secret), await chat(secret)]
    expect([first.status, second.status]).toEqual([200, 429])
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(30)
    expect(second.headers.get('x-ratelimit-limit-requests')).toBe('1')
    expect(await second.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
  })

  it('refuse when a budget is used up, and have spent the sum of the records', async () => {
    const { id, secret } = await create({ budgets: { total: '0.00005' } })
    let paid = 0
    const refused = await until(
      async () => chat(secret),
      ({ status }) => {
        if (status === 200) paid++
        return status !== 200
      },
    )
    expect(refused.status).toBe(402)
    expect(await refused.json()).toMatchObject({ error: { code: 'budget_exceeded' } })
    expect(paid).toBeGreaterThan(1)
    const { cost } = await until(
      () => usageOf(id),
      ({ calls }) => calls === paid,
    )
    expect(cost).toBe(`0.${String(paid * 8).padStart(6, '0')}`)
    expect((await admin(`/keys/${id}`)).budgets).toMatchObject([{ limit: '0.00005', spent: cost }])
  })

  it('refuse a revoked key within five seconds', async () => {
    const { id, secret } = await create()
    expect((await chat(secret)).status).toBe(200)
    expect((await admin(`/keys/${id}`, 'DELETE')).status).toBe(200)
    const revokedAt = performance.now()
    let acceptedMs = 0
    await until(
      async () => {
        const startedMs = performance.now() - revokedAt
        const { status } = await chat(secret)
        if (status !== 401) acceptedMs = startedMs
        return status
      },
      (status) => status === 401,
    )
    expect(acceptedMs).toBeLessThan(5000)
  })

  it('charge a client that leaves in the middle of a stream', async () => {
    const { secret } = await create()
    const aborter = new AbortController()
    const answer = await chat(secret, { stream: true }, { signal: aborter.signal })
    await answer.body?.getReader().read()
    aborter.abort()
    const path = `/records/${answer.headers.get('x-request-id')}`
    const { record } = await until(
      () => admin(path),
      ({ status }) => status === 200,
    )
    expect(record).toMatchObject({ outcome: 'aborted', estimated: true })
    expect(Number(record.cost)).toBeGreaterThan(0)
  })

  it.each([false, true])(
    'cancel and charge the call of a client that leaves before its answer, stream: %s',
    async (stream) => {
      const { id, secret } = await create()
      const [calls, left] = [upstream.calls(), upstream.left()]
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const asked = request(`${worker.url}/api/v1/chat/completions`, { method: 'POST', headers }).on('error', () => {})
      asked.end(JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content: HOLD }] }))
      await expect.poll(() => upstream.calls()).toBe(calls + 1)
      // Workerd takes a connection that is only closed for one whose client still reads.
      asked.socket?.resetAndDestroy()
      await expect.poll(() => upstream.left()).toBe(left + 1)
      const { records } = await until(
        () => admin('/records?limit=1000'),
        (answer) => answer.records.some(({ key }) => key === id),
      )
      expect(records.filter(({ key }) => key === id)).toMatchObject([{ outcome: 'aborted' }])
    },
  )

  it('have a record of every call that reached the upstream, also if the client leaves', async () => {
    const { id, secret } = await create({ budgets: { day: '1' } })
    const before = upstream.calls()
    const asked = Array.from({ length: 30 }, async (_, index) => {
      // Every third client leaves, at different times: most of them while its call is opened together with others.
      const signal = index % 3 === 0 ? AbortSignal.timeout(1 + index * 4) : null
      const answer = await chat(secret, { stream: index % 2 === 0 }, { signal }).catch(() => undefined)
      if (answer === undefined) return
      upstream.finishStreams()
      await answer.text().catch(() => undefined)
    })
    await until(
      async () => upstream.finishStreams(),
      () => upstream.calls() - before >= 20,
    )
    const finishing = setInterval(() => upstream.finishStreams(), 20)
    await Promise.all(asked)
    const settled = await until(
      () => usageOf(id),
      ({ calls }) => calls > 0 && calls === upstream.calls() - before,
    )
    clearInterval(finishing)
    const [balance] = (await admin(`/keys/${id}`)).budgets
    expect(balance?.spent).toBe(settled.cost)
  })

  it('show the cost of a call to its own caller only', async () => {
    const [ann, bob] = [await create(), await create()]
    const id = (await chat(ann.secret)).headers.get('x-request-id') ?? ''
    const look = async (query: string, secret?: string): Promise<Response> =>
      fetch(`${worker.url}/api/v1/generation${query}`, {
        headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
      })
    const found = await until(
      () => look(`?id=${id}`, ann.secret),
      ({ status }) => status === 200,
    )
    expect(await found.json()).toMatchObject({
      data: { id, model: MODEL, tokens_prompt: 10, tokens_completion: 5, total_cost: Number(COST) },
    })
    const refused = [
      [`?id=${id}`, bob.secret, 404],
      [`?id=${id}`, ADMIN, 404],
      [`?id=req_${'0'.repeat(32)}`, ann.secret, 404],
      ['?id=1', ann.secret, 400],
      ['', ann.secret, 400],
      [`?id=${id}`, 'wrong', 401],
      [`?id=${id}`, undefined, 401],
    ] as const
    for (const [query, secret, status] of refused) {
      const answer = await look(query, secret)
      expect([query, answer.status]).toEqual([query, status])
      expect(await answer.json()).toMatchObject({ error: { message: expect.any(String), type: expect.any(String) } })
    }
  })

  it('store redacted bodies of a key that asks for it, after the answer', async () => {
    const { secret } = await create({ bodies: { days: 1, redact: ['[0-9]{4}'] } })
    const answer = await chat(secret, { messages: [{ role: 'user', content: 'my pin is 1234' }] })
    const path = `/records/${answer.headers.get('x-request-id')}/bodies`
    const { request } = await until(
      () => admin(path),
      ({ status }) => status === 200,
    )
    expect(request).toContain('my pin is [redacted]')
  })

  it('have an admin API for admin keys only, and write down what was done', async () => {
    const { secret } = await create()
    expect((await admin('/keys', 'GET', undefined, secret)).status).toBe(403)
    expect((await admin('/keys', 'GET', undefined, 'wrong')).status).toBe(401)
    expect((await admin('/keys', 'GET', undefined, 'sk-of-the-variable')).status).toBe(403)
    const second = await create({ name: 'second admin', scopes: ['admin'] })
    expect((await admin('/keys', 'GET', undefined, second.secret)).status).toBe(200)
    expect((await chat(second.secret)).status).toBe(403)
    expect((await admin('/audit?limit=1')).entries).toMatchObject([{ actor: second.id, action: 'keys.list' }])
  })

  it('are managed by the command of the server, with the admin key', async () => {
    const command = async (...args: string[]): Promise<string> => {
      const options = { env: { PATH: process.env['PATH'], DRAGOMAN_ADMIN_KEY: ADMIN }, cwd: folder }
      return (await run(process.execPath, [COMMAND, ...args, '--url', worker.url], options)).stdout
    }
    const [secret = ''] = /dgm_\w{38}/.exec(await command('keys', 'create', '--name', 'far', '--owner', 'eve')) ?? []
    expect((await chat(secret)).status).toBe(200)
    await until(
      () => admin('/usage?owner=eve'),
      ({ rows }) => rows.length > 0,
    )
    const row = /^eve +openai\/gpt-5\.6-luna +1 +0 +10 +0 +5 +0 +\$0\.0000$/m
    expect(await command('usage', '--by', 'owner,model')).toMatch(row)
  })

  it('keep everything when the platform restarts', async () => {
    const { id, secret } = await create({ limits: { requestsPerMinute: 2 } })
    expect((await chat(secret)).status).toBe(200)
    const before = await until(
      () => usageOf(id),
      ({ calls }) => calls === 1,
    )
    await worker.stop()
    worker = await start()
    expect(await usageOf(id)).toEqual(before)
    expect([(await chat(secret)).status, (await chat(secret)).status]).toEqual([200, 429])
  })
})
