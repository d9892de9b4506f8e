import { expect, it } from 'vitest'
import type { Ask } from './ask.ts'
import { chat, genai, messages, type Wire } from './dialogue.ts'

/** Fields that the specification does not accept, but existing clients send. */
const UNSUPPORTED: readonly (readonly [field: string, value: Wire[string]])[] = Object.entries({
  audio: { voice: 'alloy', format: 'wav' },
  modalities: ['text', 'audio'],
  functions: [{ name: 'get_time', parameters: { type: 'object', properties: {} } }],
  function_call: 'auto',
  prompt_cache_key: 'key',
  prompt_cache_retention: '24h',
  safety_identifier: 'someone',
  store: true,
  service_tier: 'flex',
  prediction: { type: 'content', content: 'Hello' },
  seed: 7,
  user: 'someone',
  max_tokens: 100,
})

/** Rules of single protocols. */
export function describeOwnRules(ask: Ask, key: () => string): void {
  describeChat(ask)
  describeMessages(ask)
  describeGenai(ask, key)
}

function describeChat(ask: Ask): void {
  const usageOf = async (members: Wire): Promise<number> => {
    const stream = await (await ask(chat, 'sim/chat-1', 'hi', { delivery: 'streamed', members })).text()
    return stream.split('"completion_tokens":').length - 1
  }

  it.each(UNSUPPORTED)('[chat.unsupported] chat accepts %s', async (field, value) => {
    const own = await ask(chat, 'sim/chat-1', 'hi', { members: { [field]: value } })
    expect([own.status, own.headers.get('x-dragoman-path')]).toEqual([200, 'relay'])
    const other = await ask(chat, 'sim/messages-1', 'hi', { members: { [field]: value } })
    expect(other.status).toBe(200)
  })

  it.each([{ store: false }, { n: 1 }, { service_tier: 'auto' }])(
    '[chat.unsupported] %j changes nothing, and so is not a loss',
    async (members) => {
      const answer = await ask(chat, 'sim/messages-1', 'hi', { members: { ...members, max_completion_tokens: 100 } })
      expect([answer.status, answer.headers.get('x-dragoman-losses')]).toEqual([200, null])
    },
  )

  it('[chat.stream_options:in] chat streams usage once, and only if requested', async () => {
    expect(await usageOf({})).toBe(0)
    expect(await usageOf({ stream_options: { include_usage: true } })).toBe(1)
  })
}

function describeMessages(ask: Ask): void {
  it('[auth.messages.version] [auth.messages.content-type] messages requires a version and JSON', async () => {
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await ask(messages, 'sim/messages-1', 'hi', { headers })).status
    expect(await statusOf({ 'anthropic-version': '2026-10-21' })).toBe(200)
    expect(await statusOf({ 'partner-version': '2023-06-01' })).toBe(200)
    expect(await statusOf({ 'partner-version': '2026-10-21' })).toBe(400)
    expect(await statusOf({ 'anthropic-version': '2020-01-01' })).toBe(400)
    expect(await statusOf({ 'content-type': 'text/plain' })).toBe(415)
  })

  it('[msg.thread] messages refuses threads with the code that makes its SDK send the whole conversation', async () => {
    const answer = await ask(messages, 'sim/messages-1', 'hi', { members: { thread: { type: 'create' } } })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { details: { error_code: 'thread_unsupported_request' } } })
  })
}

/** Different paths for the same model. */
const PATHS = [
  'v1/publishers/sim/models/genai-1',
  'v1beta/publishers/sim/models/genai-1',
  'v1beta1/publishers/sim/models/genai-1',
  'v1/projects/p/locations/l/publishers/sim/models/genai-1',
  'v1beta/models/sim/genai-1',
  'v1/models/sim%2Fgenai-1',
  'v1beta/models/genai-1',
  // LangChain and the Vercel AI SDK leave out models/ before a name with a slash.
  'v1beta/sim/genai-1',
  'v1/publishers/google/sim/genai-1',
  // The path that the SDK makes from a name without a provider.
  'v1/publishers/google/models/genai-1',
]

function describeGenai(ask: Ask, key: () => string): void {
  const model = 'sim/genai-1'

  it.each(PATHS)('[genai.paths] [base.model] genai answers at %s', async (modelPath) => {
    const path = (action: string): string => `/api/vertex-ai/${modelPath}:${action}`
    const whole = await ask(genai, model, 'Hello', { path: path('generateContent') })
    expect(whole.headers.get('x-dragoman-model')).toBe(model)
    genai.acceptWhole(await whole.json())
    const streamed = await ask(genai, model, 'Hello', { path: path('streamGenerateContent?alt=sse') })
    expect(genai.streamedText(await streamed.text())).toContain('"Hello"')
  })

  it.each(['sim/chat-1', 'sim/messages-1', 'sim/responses-1', model])(
    '[genai.stream] genai streams %s as one JSON array without alt=sse',
    async (asked) => {
      const path = genai.path(asked, 'streamed').replace('?alt=sse', '')
      const answer = await ask(genai, asked, 'Hello', { path })
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      const chunks = (await answer.json()) as Wire[]
      expect(chunks.length).toBeGreaterThan(3)
      expect(chunks.map((chunk) => genai.text(chunk)).join('')).toContain('You asked: "Hello"')
    },
  )

  it('[auth.genai.bearer] [auth.genai.goog] genai accepts the key in its own header, as a bearer token and in the query', async () => {
    const headers = { 'x-goog-api-key': 'sk-placeholder' }
    const path = genai.path(model, 'whole')
    const statusOf = async (options: Parameters<Ask>[3]): Promise<number> =>
      (await ask(genai, model, 'hi', options)).status
    expect(await statusOf({})).toBe(200)
    expect(await statusOf({ headers })).toBe(401)
    expect(await statusOf({ headers: { ...headers, authorization: `Bearer ${key()}` } })).toBe(200)
    expect(await statusOf({ headers, path: `${path}?key=${key()}` })).toBe(200)
    expect(await statusOf({ headers, path: `${path}?key=sk-wrong` })).toBe(401)
  })
}
