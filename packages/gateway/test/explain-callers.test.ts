import { describe, expect, it } from 'vitest'
import { createFetchHandler, createMemoryKeys, type Stage } from '../src/index.ts'
import { CHAT, explaining, HEADERS, MESSAGES } from './explaining.ts'
import { fakeProvider } from './scripted.ts'

const USER = { role: 'user', content: 'Hi' }
const providers = [
  fakeProvider('cheap', ['chat']),
  fakeProvider('good', ['chat']),
  fakeProvider('other', ['messages', 'genai']),
]

describe('who may explain what', () => {
  const keys = createMemoryKeys([
    { id: 'few', secret: 'few', models: ['cheap/*'] },
    { id: 'boss', secret: 'boss', models: ['cheap/*'], providers: ['cheap'], explainsAll: true },
  ])
  const pool = { routes: ['good/m', { model: 'other/m', when: { tools: true } }, 'cheap/m'] }
  const options = { providers, keys, aliases: { pool } }
  const as = (secret: string) => ({ ...HEADERS, authorization: `Bearer ${secret}` })

  it('a key sees the models that it may use, and no other is named', async () => {
    const { explainReply } = explaining(options)
    const reply = await explainReply({ model: 'pool', messages: [USER] }, CHAT, as('few'))
    expect(JSON.parse(reply.text)).toMatchObject({ routes: [{ model: 'cheap/m' }], skipped: [] })
    expect(reply.text).not.toMatch(/good|other/)
    expect((await explainReply({ model: 'good/m', messages: [USER] }, CHAT, as('few'))).status).toBe(403)
  })

  it('a key that may explain all calls sees all models', async () => {
    const { explain, answered } = explaining(options)
    const { routes, skipped } = await explain({ model: 'pool', messages: [USER] }, CHAT, as('boss'))
    expect([routes.map(({ model }) => model), skipped.map(({ model }) => model)]).toEqual([
      ['good/m', 'cheap/m'],
      ['other/m', 'other/m'],
    ])
    expect((await explain({ model: 'good/m', messages: [USER] }, CHAT, as('boss'))).routes).toHaveLength(1)
    // Its calls are as restricted as before.
    expect((await answered({ model: 'good/m', messages: [USER] }, CHAT, as('boss'))).status).toBe(403)
  })

  it('no caller without a key', async () => {
    const { explainReply } = explaining(options)
    const headers = { 'content-type': 'application/json' }
    const reply = await explainReply({ model: 'pool', messages: [USER] }, CHAT, headers)
    expect(reply.status).toBe(401)
  })
})

describe('what cannot be explained', () => {
  const { explainReply, transport } = explaining({ providers })
  const GENAI = '/api/vertex-ai/v1beta/models/cheap/m'

  it.each([
    ['an unknown model', CHAT, { model: 'none', messages: [USER] }, 404, { error: { code: 'model_not_found' } }],
    ['a bad body', CHAT, { model: 'cheap/m', messages: 3 }, 400, { error: { type: 'invalid_request_error' } }],
    ['a bad body', MESSAGES, { model: 'cheap/m', messages: [] }, 400, { type: 'error' }],
    [
      'an unknown model',
      `${GENAI}x:generateContent`,
      { contents: [{ parts: [{ text: 'Hi' }] }] },
      404,
      { error: { status: 'NOT_FOUND' } },
    ],
    [
      'a count',
      '/api/anthropic/v1/messages/count_tokens',
      {},
      404,
      { type: 'error', error: { type: 'not_found_error' } },
    ],
    ['a count', `${GENAI}:countTokens`, {}, 404, { error: { code: 404, status: 'NOT_FOUND' } }],
    ['an unknown path', '/api/v1/nothing', {}, 404, { error: { type: expect.any(String) } }],
    ['a wrong provider', CHAT, { model: 'cheap/m', messages: [USER], provider: { providers: ['no'] } }, 400, {}],
  ])('%s gets a native error: %s %j', async (_what, path, body, status, shape) => {
    const reply = await explainReply(body, path)
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([status, shape])
    expect(transport.calls).toHaveLength(0)
  })

  it('a list of models, and another method', async () => {
    const { gateway } = explaining({ providers })
    const handle = createFetchHandler(gateway)
    const list = await handle(new Request('http://gateway/explain/api/v1/models', { headers: HEADERS }))
    expect([list.status, (await list.json()).error.message]).toEqual([
      404,
      'Only calls that generate an answer can be explained, not "models".',
    ])
    const got = await handle(new Request(`http://gateway/explain${CHAT}`))
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('an explanation is a call of the caller', () => {
  const body = { model: 'cheap/m', messages: [USER] }

  it('that stages see by its own name, that is logged, and that is not booked', async () => {
    const seen: string[] = []
    const stage: Stage = {
      afterAdmission: ({ operation }) => void seen.push(`admitted ${operation}`),
      beforeRoute: ({ operation, model }) => void seen.push(`read ${operation} ${model}`),
      beforeCall: () => void seen.push('called'),
      onSettle: ({ operation }, { status }) => void seen.push(`settled ${operation} ${status}`),
    }
    const { explain, log, ledger } = explaining({ providers, stages: [stage] })
    await explain(body)
    expect(seen).toEqual(['admitted explain', 'read explain cheap/m', 'settled explain 200'])
    expect(log.entries).toMatchObject([{ path: `/explain${CHAT}`, status: 200, caller: 'tester', attempts: [] }])
    expect(ledger.records).toEqual([])
  })

  it('that counts against the limit of concurrent calls', async () => {
    const { call, explainReply } = explaining({ providers, limits: { perKey: 1 } })
    await call(body)
    expect((await explainReply(body, CHAT)).status).toBe(429)
  })
})
