import type { RequestListener } from 'node:http'
import type { RouteAccess } from '@dragoman/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPages } from '../src/pages.ts'
import { routeOf, SERVER_ROUTES } from '../src/server-routes.ts'
import { startServer, type ServerProcess } from './process.ts'

let server: ServerProcess

beforeAll(async () => {
  server = await startServer({
    DRAGOMAN_MODEL_LISTS: 'private',
    DRAGOMAN_METRICS_PORT: '0',
    DRAGOMAN_KEYS: 'sk-valid-0123456789',
  })
})
afterAll(() => server.stop())

/** The status without a key, and with one that is not an admin key. */
const STATUS_OF: { readonly [Name in RouteAccess]: readonly [number, readonly number[]] } = {
  open: [200, [200]],
  // What it asks for is missing.
  key: [401, [400]],
  'admin key': [401, [403]],
  // A call without a body: the gateway's own test asks all operations.
  operation: [401, [400]],
}

describe('every route of the server', () => {
  it.each(Object.entries(SERVER_ROUTES))('%s has a policy and obeys it', async (name, route) => {
    const [without, withKey] = STATUS_OF[route.access]
    const init = { method: name === 'calls' ? 'POST' : 'GET', headers: { 'content-type': 'application/json' } }
    const headers = { ...init.headers, authorization: 'Bearer sk-valid-0123456789' }
    // At the root too.
    for (const path of new Set([route.example, route.example.replace(/^\/api/, '')])) {
      expect(routeOf({ url: path, headers: { host: 'any' } })).toBe(name)
      expect((await fetch(server.url + path, init)).status).toBe(without)
      expect(withKey).toContain((await fetch(server.url + path, { ...init, headers })).status)
    }
  })

  it('of Express is a page in the table, or the gateway', () => {
    const calls: RequestListener = () => {}
    const { router } = createPages(calls) as unknown as { router: { stack: readonly Layer[] } } // Express's own list
    const pages = router.stack.map(({ route, handle }) => route?.path ?? (handle === calls ? 'calls' : 'unknown'))
    expect(pages).toEqual([SERVER_ROUTES.pages.example, 'calls'])
  })

  it('is the only way in: unknown paths and metrics are not served', async () => {
    for (const path of ['/metrics', '/admin', '/admin/v2/keys', '/data/dragoman.db', '/api/v1/generations', '/.env'])
      expect((await fetch(server.url + path)).status).toBe(404)
    const line = await server.logged((entry) => String(entry['msg']).startsWith('metrics at '))
    const url = String(line['msg']).replace('metrics at ', '')
    expect((await fetch(url)).status).toBe(200)
    // The port of metrics has nothing else.
    for (const path of ['/', '/healthz', '/admin/v1/keys', '/api/v1/models'])
      expect((await fetch(new URL(path, url))).status).toBe(404)
  })
})

interface Layer {
  readonly route?: { readonly path: string }
  readonly handle: unknown
}
