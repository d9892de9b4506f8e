import type { Caller, Keys } from '@dragoman/gateway'
import { describe, expect, it } from 'vitest'
import { checkSecret, digestOf } from '../keys/secret.ts'
import { createMemoryStore } from '../memory/memory-store.ts'
import type { CallRecord } from '../store/call-record.ts'
import { ADMIN_BASE } from '../paths.ts'
import { ADMIN_ROUTES, createAdmin } from './admin.ts'

const NOW = Date.UTC(2026, 10, 16, 9, 30)
const CALLERS: { readonly [secret: string]: Caller } = {
  'secret of the boss': { id: 'boss', admin: true },
  'secret of a caller': { id: 'caller' },
}
const keys: Keys = { find: (secret) => CALLERS[secret] }

function scene() {
  const store = createMemoryStore({ clock: { now: () => NOW } })
  const handle = createAdmin({ store, keys, clock: { now: () => NOW } })
  const call = async (method: string, path: string, body?: unknown, secret = 'secret of the boss') => {
    const headers = { authorization: `Bearer ${secret}` }
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const request = new Request(`http://gateway${ADMIN_BASE}${path}`, { method, headers, body: text ?? null })
    const response = await handle(request, '192.0.2.7')
    const answer = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(answer) : answer }
  }
  return { store, call }
}

describe('texts that a database may not hold', () => {
  it.each([
    ['POST', '/keys', '{"name":"a\\u0000b"}'],
    ['POST', '/keys', '{"name":"a","labels":{"\\ud83d":"b"}}'],
    ['GET', '/keys/%00', undefined],
    ['GET', '/usage?key=a%00', undefined],
  ])('%s %s %s is refused before it gets there', async (method, path, body) => {
    const { store, call } = scene()
    const answer = await call(method, path, body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'wrong_text' } } })
    expect(await store.audits(undefined, 10)).toEqual([])
  })
})

describe('every admin route', () => {
  it.each(ADMIN_ROUTES.map((route) => [route.method, route.path, route] as const))(
    '%s %s has a policy, refuses unauthenticated callers, and is in the audit log',
    async (method, path, route) => {
      const { store, call } = scene()
      expect(route.policy).toBe('admin')
      const { body: created } = await call('POST', '/keys', { name: 'ci' })
      const id = path.startsWith('/keys') ? created.key.id : RECORD.id
      await store.commit({ ...BATCH, settlements: [SETTLEMENT] })
      await store.saveBodies({ id: RECORD.id, key: 'k', until: NOW + 1, request: '{}', answer: '{}' })
      const asked = path.replace('{id}', id)
      const body =
        route.action === 'keys.create' ? { name: 'other' } : method === 'PATCH' ? { owner: 'ann' } : undefined
      expect((await call(method, asked, body, 'no key')).status).toBe(401)
      expect((await call(method, asked, body, 'secret of a caller')).status).toBe(403)
      const before = new Set((await store.audits(undefined, 100)).map((each) => each.id))
      const { status, headers } = await call(method, asked, body)
      expect(status).toBeLessThan(300)
      expect(headers.get('cache-control')).toBe('no-store')
      const entries = (await store.audits(undefined, 100)).filter((each) => !before.has(each.id))
      expect(entries).toMatchObject([{ actor: 'boss', action: route.action, address: '192.0.2.7', at: NOW }])
    },
  )

  it('is named once, with a method that the path does not have otherwise', () => {
    const names = ADMIN_ROUTES.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(ADMIN_ROUTES.map(({ action }) => action)).size).toBe(names.length)
  })
})

describe('keys', () => {
  it('are created with a secret that is shown once and stored as a digest', async () => {
    const { store, call } = scene()
    const settings = {
      name: 'ci',
      owner: 'ann',
      labels: { team: 'blue' },
      scopes: ['inference', 'admin'],
      models: ['sim/*'],
      providers: ['sim'],
      limits: { requestsPerMinute: 60, tokensPerMinute: 100_000, concurrent: 5 },
      budgets: { day: 5, month: '99.5' },
      expiresAt: '2027-01-01T00:00:00Z',
    }
    const { status, body } = await call('POST', '/keys', settings)
    expect(status).toBe(201)
    expect(checkSecret(body.secret)).toBe('whole')
    expect(body.key).toMatchObject({
      ...settings,
      budgets: { day: '5', month: '99.5' },
      expiresAt: '2027-01-01T00:00:00.000Z',
      status: 'active',
      hint: `${body.secret.slice(0, 8)}…`,
    })
    const stored = await store.key(body.key.id)
    expect(stored?.digest).toBe(await digestOf(body.secret))
    expect(stored?.budgets).toEqual({ day: 5_000_000_000, month: 99_500_000_000 })
    const everything = JSON.stringify([stored, await store.audits(undefined, 10), (await call('GET', '/keys')).body])
    expect(everything).not.toContain(body.secret)
  })

  it('are changed as a merge patch, and null removes a member', async () => {
    const { call } = scene()
    const settings = { name: 'ci', owner: 'ann', limits: { requestsPerMinute: 60, concurrent: 5 }, budgets: { day: 5 } }
    const { body: created } = await call('POST', '/keys', settings)
    const changes = {
      owner: null,
      limits: { concurrent: null, tokensPerMinute: 7 },
      budgets: { week: '1.25' },
      disabled: true,
    }
    const { body } = await call('PATCH', `/keys/${created.key.id}`, changes)
    expect(body.key).toEqual({
      ...created.key,
      owner: null,
      limits: { requestsPerMinute: 60, tokensPerMinute: 7, concurrent: null },
      budgets: { day: '5', week: '1.25' },
      disabled: true,
      status: 'disabled',
    })
  })

  it('are rotated with an overlap, and revoked for good', async () => {
    const { store, call } = scene()
    const { body: created } = await call('POST', '/keys', { name: 'ci' })
    const path = `/keys/${created.key.id}`
    const { body: rotated } = await call('POST', `${path}/rotate`, { overlapSeconds: 60 })
    expect(rotated.secret).not.toBe(created.secret)
    expect(rotated.key.previousSecretUntil).toBe('2026-11-16T09:31:00.000Z')
    expect((await store.findKey(await digestOf(created.secret)))?.id).toBe(created.key.id)
    expect((await call('DELETE', path)).body.key.status).toBe('revoked')
    expect(await store.findKey(await digestOf(created.secret))).toBeUndefined()
    expect((await call('PATCH', path, { disabled: false })).status).toBe(409)
    expect((await call('POST', `${path}/rotate`)).status).toBe(409)
  })

  it.each([
    [{}, 'name', 'The member "name" is missing.'],
    [{ name: 'a', onwer: 'ann' }, 'onwer', 'The member "onwer" is unknown; did you mean "owner"?.'],
    [{ name: 'a', budgets: { day: '0.0000000001' } }, 'budgets.day', 'dollars'],
    [{ name: 'a', budgets: { year: 1 } }, 'budgets.year', 'unknown'],
    [{ name: 'a', limits: { requestsPerMinute: 0 } }, 'limits.requestsPerMinute', 'wrong'],
    [{ name: 'a', scopes: ['root'] }, 'scopes.0', 'wrong'],
    [{ name: 'a', bodies: { days: 3, redact: ['('] } }, 'bodies.redact.0', 'regular expression'],
    [{ name: 'a', bodies: { days: 3, redact: ['(?=a)b'] } }, 'bodies.redact.0', 'not supported'],
    [{ name: 'a', expiresAt: 'tomorrow' }, 'expiresAt', 'wrong'],
  ])('refuse %j and name the member', async (body, field, text) => {
    const { store, call } = scene()
    const refused = await call('POST', '/keys', body)
    expect(refused.status).toBe(400)
    expect(refused.body.error.field).toBe(field)
    expect(refused.body.error.message).toContain(text.replace('?.', '?'))
    expect(await store.keysSince(0, 10)).toEqual([])
  })

  it('refuse bodies that are not JSON, not an object or too large', async () => {
    const { call } = scene()
    expect((await call('POST', '/keys', '{')).body.error.code).toBe('wrong_json')
    expect((await call('POST', '/keys', '[]')).body.error.code).toBe('wrong_json')
    expect((await call('POST', '/keys', JSON.stringify({ name: 'x'.repeat(70_000) }))).status).toBe(413)
  })
})

describe('usage', () => {
  it('is summed as asked, as JSON and CSV', async () => {
    const { store, call } = scene()
    await store.commit({ ...BATCH, settlements: [SETTLEMENT] })
    const { body } = await call('GET', '/usage?by=day,model&from=2026-11-16&to=2026-11-17')
    expect(body.rows).toEqual([
      {
        day: '2026-11-16',
        model: '=sim/chat-1',
        calls: 1,
        failed: 0,
        estimated: 0,
        inputTokens: 10,
        outputTokens: 20,
        cacheReadTokens: 3,
        cacheWrite5mTokens: 2,
        cacheWrite1hTokens: 1,
        reasoningTokens: 4,
        cost: '0.000000123',
        ms: 99,
      },
    ])
    const csv = await call('GET', '/usage?by=model&from=2026-11-16&to=2026-11-17&format=csv')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [names, values] = csv.body.split('\r\n')
    expect(names).toBe(
      'model,calls,failed,estimated,inputTokens,outputTokens,cacheReadTokens,cacheWrite5mTokens,cacheWrite1hTokens,reasoningTokens,cost,ms',
    )
    expect(values).toBe("'=sim/chat-1,1,0,0,10,20,3,2,1,4,0.000000123,99")
  })

  it('of one call is found by its id, as the caller knows it', async () => {
    const { store, call } = scene()
    await store.commit({ ...BATCH, settlements: [SETTLEMENT] })
    const { body } = await call('GET', `/records/req_${RECORD.id}`)
    expect(body.record).toMatchObject({ id: `req_${RECORD.id}`, cost: '0.000000123', at: '2026-11-16T09:00:00.000Z' })
    expect((await call('GET', `/records/${'f'.repeat(32)}`)).status).toBe(404)
    expect((await call('GET', '/records/chatcmpl-7')).status).toBe(400)
    const lines = await call('GET', '/records?format=jsonl')
    expect(JSON.parse(lines.body)).toEqual(body.record)
  })

  it('comes in pages of at most 1,000 rows, as CSV all of them', async () => {
    const { store, call } = scene()
    const settlements = Array.from({ length: 2500 }, (_, index) => {
      const id = index.toString(16).padStart(32, '0')
      return { ...SETTLEMENT, id, record: { ...RECORD, id, model: `m${String(index).padStart(4, '0')}` } }
    })
    await store.commit({ ...BATCH, settlements })
    const time = 'by=model&from=2026-11-16&to=2026-11-17'
    const models: string[] = []
    const sizes: number[] = []
    for (let next: string | null = null; ;) {
      const after: string = next === null ? '' : `&after=${encodeURIComponent(next)}`
      const { body } = await call('GET', `/usage?${time}${after}`)
      models.push(...body.rows.map(({ model }: { model: string }) => model))
      sizes.push(body.rows.length)
      next = body.next
      if (next === null) break
    }
    expect(sizes).toEqual([1000, 1000, 500])
    expect(models).toEqual(settlements.map(({ record }) => record.model))
    expect((await call('GET', `/usage?${time}&limit=7`)).body.rows).toHaveLength(7)
    const csv = await call('GET', `/usage?${time}&format=csv`)
    const [names, ...lines] = csv.body.trimEnd().split('\r\n')
    expect(names).toMatch(/^model,calls,/)
    expect(lines.map((line: string) => line.split(',')[0])).toEqual(models)
  })

  it('as CSV is asked for page by page, as fast as it is read', async () => {
    const { store } = scene()
    const page = { rows: [], next: ['m'] }
    let pages = 0
    const endless = { ...store, usage: () => (pages++, page) }
    const handle = createAdmin({ store: endless, keys, clock: { now: () => NOW } })
    const headers = { authorization: 'Bearer secret of the boss' }
    const { body } = await handle(new Request(`http://gateway${ADMIN_BASE}/usage?by=model&format=csv`, { headers }))
    const reader = body!.getReader()
    await reader.read()
    await reader.cancel()
    expect(pages).toBeLessThan(5)
  })

  it.each([
    'by=year',
    'limit=1001',
    'limit=0',
    'after=m',
    'after=[]',
    'after=[1]',
    'by=day&after=["x"]',
    'from=yesterday',
    'from=2026-11-17&to=2026-11-16',
    'format=xml',
  ])('refuses %s', async (query) => {
    expect((await scene().call('GET', `/usage?${query}`)).body.error.code).toBe('wrong_parameter')
  })
})

it('answers paths and methods that do not exist', async () => {
  const { call } = scene()
  expect((await call('GET', '/nothing')).status).toBe(404)
  expect((await call('PUT', '/keys')).status).toBe(405)
  expect((await call('GET', '/nothing', undefined, 'no key')).status).toBe(401)
})

it('does not show why the store fails', async () => {
  const errors: unknown[] = []
  const store = createMemoryStore()
  const broken = { ...store, keysSince: () => Promise.reject(new Error('postgres://user:password@host')) }
  const handle = createAdmin({ store: broken, keys, onError: (error) => errors.push(error) })
  const headers = { authorization: 'Bearer secret of the boss' }
  const response = await handle(new Request(`http://gateway${ADMIN_BASE}/keys`, { headers }))
  expect(response.status).toBe(503)
  expect(await response.text()).not.toContain('password')
  expect(errors).toHaveLength(1)
})

const RECORD: CallRecord = {
  id: '019a8c0000007000800000000000000a',
  at: Date.UTC(2026, 10, 16, 9),
  key: 'key_1',
  owner: 'ann',
  conversation: '',
  operation: 'generate',
  asked: 'chat-1',
  model: '=sim/chat-1',
  provider: 'sim',
  protocol: 'chat',
  mode: 'relay',
  stream: false,
  outcome: 'complete',
  status: 200,
  attempts: 1,
  tokens: { input: 10, output: 20, cacheRead: 3, cacheWrite5m: 2, cacheWrite1h: 1, reasoning: 4 },
  cost: 123,
  items: [{ name: 'prompt', quantity: 4, nanos: 123 }],
  prices: 'v1',
  estimated: false,
  losses: [],
  firstByteMs: 50,
  ms: 99,
}
const SETTLEMENT = { id: RECORD.id, key: RECORD.key, record: RECORD, budgets: [], limits: {}, tokens: 0 }
const BATCH = { instance: 'a', number: 1, ttlMs: 1000, settlements: [], slices: [], openings: [] }
