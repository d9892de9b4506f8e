import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN_BASE } from '@dragoman/accounts'
import { ADMIN_ROUTES } from '@dragoman/accounts/admin'
import type { RouteAccess } from '@dragoman/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORKER_ROUTES } from '../src/worker-routes.ts'
import { startWorker, type RunningWorker } from './workerd.ts'

const FIRST_ADMIN = 'admin-key-of-at-least-32-characters'
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dragoman-worker-'))

let worker: RunningWorker
/** The secrets of a key for inference and of one for administration, each with that scope only. */
let inference: string
let admin: string
beforeAll(async () => {
  worker = await startWorker({ DRAGOMAN_ADMIN_KEY: FIRST_ADMIN }, undefined, { folder })
  inference = await create('inference')
  admin = await create('admin')
})
afterAll(async () => {
  await worker.stop()
  rmSync(folder, { recursive: true, maxRetries: 9 })
})

/** The status without a key, with a key for inference, and with an admin key. */
const STATUSES_OF: { readonly [Name in RouteAccess]?: readonly number[] } = {
  // What it asks for is wrong.
  key: [401, 400, 400],
  'admin key': [401, 403, 200],
  // A call without a model: the gateway's own test asks all operations.
  operation: [401, 400, 403],
}

describe('every route of the worker', () => {
  it.each(Object.entries(WORKER_ROUTES))('%s has a policy and obeys it', async (name, route) => {
    const method = name === 'calls' ? 'POST' : 'GET'
    // At the root too.
    for (const path of new Set([route.example, route.example.replace(/^\/api/, '')])) {
      const statuses = []
      for (const secret of [undefined, inference, admin]) statuses.push(await ask(method, path, secret))
      expect(statuses).toEqual(STATUSES_OF[route.access])
    }
  })

  it.each(ADMIN_ROUTES.map(({ method, path }) => [method, path] as const))(
    'of the admin API needs an admin key: %s %s',
    async (method, path) => {
      const example = ADMIN_BASE + path.replace('{id}', 'any')
      expect([await ask(method, example), await ask(method, example, inference)]).toEqual([401, 403])
    },
  )

  it('is in the table: other paths are not served', async () => {
    for (const path of ['/', '/healthz', '/metrics', '/admin', '/admin/v2/keys', '/api/v1/generations', '/.env'])
      for (const secret of [undefined, inference, admin])
        expect([path, await ask('GET', path, secret)]).toEqual([path, 404])
  })
})

let asked = 0

/** Each time from another address: wrong keys of one address are slowed down. */
async function ask(method: string, path: string, secret?: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'cf-connecting-ip': `192.0.2.${++asked}`,
    ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
  }
  const body = method === 'GET' || method === 'DELETE' ? null : '{}'
  const answer = await fetch(worker.url + path, { method, headers, body })
  await answer.body?.cancel()
  return answer.status
}

async function create(scope: string): Promise<string> {
  const headers = { authorization: `Bearer ${FIRST_ADMIN}` }
  const body = JSON.stringify({ name: scope, scopes: [scope] })
  const answer = await fetch(`${worker.url}${ADMIN_BASE}/keys`, { method: 'POST', headers, body })
  return ((await answer.json()) as { readonly secret: string }).secret // of the API
}
