import { joinBody, type Call } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createRouteMemory, explainCall, type GatewayOptions } from '../src/index.ts'
import { CHAT, explaining, HEADERS, hostOf, MESSAGES, preferences } from './explaining.ts'
import { nearOffload } from './near-offload.ts'
import { fakeProvider, scriptedTransport } from './scripted.ts'

const textOf = ({ body }: Call): string => {
  const bytes = joinBody(body ?? '')
  return typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)
}
const USER = { role: 'user', content: 'Hi' }

/** A call of each protocol, with a tool, instructions, and members that only this protocol has. */
const CALLS = {
  chat: (stream: boolean) => ({
    path: CHAT,
    body: `{ "model": "up/m", "stream": ${stream}, "seed": 7, "temperature": 1.50, "messages": [
      {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Wie geht’s?"}],
      "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}] }`,
  }),
  messages: (stream: boolean) => ({
    path: MESSAGES,
    body: `{ "model": "up/m", "stream": ${stream}, "max_tokens": 50, "top_k": 5,
      "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
      "messages": [{"role": "user", "content": "Wie geht’s?"}],
      "tools": [{"name": "look", "input_schema": {"type": "object"}}] }`,
  }),
  genai: (stream: boolean) => ({
    path: `/api/vertex-ai/v1beta/models/up/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: `{ "systemInstruction": {"parts": [{"text": "Be brief."}]}, "generationConfig": {"topK": 5},
      "contents": [{"role": "user", "parts": [{"text": "Wie geht’s?"}]}],
      "tools": [{"functionDeclarations": [{"name": "look", "parameters": {"type": "OBJECT"}}]}] }`,
  }),
}
const NAMES = ['chat', 'messages', 'genai'] as const

describe('the upstream request of an explanation', () => {
  it.each(NAMES.flatMap((from) => NAMES.flatMap((to) => [false, true].map((stream) => ({ from, to, stream })))))(
    'is what a call from $from to $to sends, byte for byte; streamed: $stream',
    async ({ from, to, stream }) => {
      const { transport, explain, call } = explaining({ providers: [fakeProvider('up', [to])] })
      const { path, body } = CALLS[from](stream)
      const headers = { ...HEADERS, 'anthropic-beta': 'beta-1' }
      const explanation = await explain(body, path, headers)
      expect(transport.calls).toHaveLength(0)
      expect(explanation).toMatchObject({ model: 'up/m', protocol: from, stream })
      await call(body, path, headers)
      const { call: sent } = transport.last
      const [route] = explanation.routes
      expect(route?.request).toEqual({
        method: sent.method,
        url: sent.url,
        headers: sent.headers,
        body: textOf(sent),
        bytes: new TextEncoder().encode(textOf(sent)).length,
      })
      expect(route).toMatchObject(
        from === to ? { mode: 'relay', losses: [] } : { mode: 'translate', because: `up/m speaks ${to}` },
      )
    },
  )

  it('is the same if another thread writes it', async () => {
    const { path, body } = CALLS.messages(false)
    const providers = [fakeProvider('up', ['chat'])]
    const here = await explaining({ providers }).explain(body, path)
    expect(await explaining({ providers, offload: nearOffload() }).explain(body, path)).toEqual(here)
  })

  it('has no body where the bodies of all routes are larger than a request may be', async () => {
    const providers = ['a', 'b', 'c'].map((name) => fakeProvider(name, ['chat']))
    const body = JSON.stringify({ model: 'a/m', messages: [USER], provider: { providers: ['a', 'b', 'c'] } })
    const { explain } = explaining({ providers, limits: { body: body.length } })
    const { routes } = await explain(body)
    expect(routes.map(({ request }) => request?.body !== undefined)).toEqual([true, false, false])
    expect(routes[2]?.request?.bytes).toBeGreaterThan(20)
  })
})

describe('the losses of an explanation', () => {
  const body = {
    model: 'pool',
    max_tokens: 10,
    top_k: 5,
    system: [{ type: 'text', text: 'Rules.', cache_control: { type: 'ephemeral' } }],
    messages: [USER],
  }
  const options: Partial<GatewayOptions> = {
    providers: [fakeProvider('plain', ['chat']), fakeProvider('native', ['messages'])],
    aliases: { pool: { routes: ['plain/m', 'native/m'] } },
  }

  it('have a code, a text and features; lost headers are among them', async () => {
    const { routes } = await explaining(options).explain(body, MESSAGES, { ...HEADERS, 'anthropic-beta': 'b-1' })
    expect(routes[0]).toMatchObject({ provider: 'plain', lossCount: 3 })
    expect(routes[0]?.losses).toEqual(
      expect.arrayContaining([
        { code: 'dropped-setting', text: expect.stringMatching(/^dropped top_k: /), features: ['sampling'] },
        {
          code: 'dropped-cache-mark',
          text: expect.stringMatching(/^dropped system\[0\]\.cache_control: /),
          features: ['cache'],
        },
        { code: 'dropped-member', text: 'dropped anthropic-beta: not supported by chat', features: [] },
      ]),
    )
    expect(routes[1]).toMatchObject({ provider: 'native', mode: 'relay', losses: [], lossCount: 0 })
  })

  it('are short, however long the names in the request are', async () => {
    const name = 'x'.repeat(100_000)
    const long = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${name}${index}`, index]))
    const { routes } = await explaining(options).explain({ ...body, ...long }, MESSAGES)
    expect(routes[0]?.lossCount).toBeGreaterThan(50)
    for (const { text } of routes[0]?.losses ?? []) expect(text.length).toBeLessThan(2000)
  })

  it('are the reason for a route that is passed over', async () => {
    const { explain, call, transport } = explaining(options)
    const headers = preferences({ on_loss: 'reroute', keep: ['cache'] })
    const { routes, skipped, policy } = await explain(body, MESSAGES, headers)
    expect(routes.map(({ provider }) => provider)).toEqual(['native'])
    expect(skipped).toMatchObject([
      {
        provider: 'plain',
        reasons: [expect.stringMatching(/^system\[0\]\.cache_control would be dropped \(cache\): /)],
      },
    ])
    expect(policy).toMatchObject({ onLoss: 'reroute', keep: ['cache'] })
    await call(body, MESSAGES, headers)
    expect(transport.calls.map((each) => hostOf(each.call.url))).toEqual(['native'])
  })

  it('are the reason for a refusal, which the call would get', async () => {
    const { explain, answered, transport } = explaining(options)
    const headers = preferences({ on_loss: 'refuse', keep: ['sampling'] })
    const { routes } = await explain(body, MESSAGES, headers)
    const reply = await answered(body, MESSAGES, headers)
    expect(reply.status).toBe(400)
    expect(routes[0]?.refused).toEqual({ kind: 'invalid-request', message: JSON.parse(reply.text).error.message })
    expect(routes[1]?.refused).toBeUndefined()
    expect(transport.calls).toHaveLength(0)
  })
})

const providers = [fakeProvider('cheap', ['chat']), fakeProvider('good', ['chat'])]

describe('explainCall', () => {
  it('is the same without a gateway', async () => {
    const { explain } = explaining({ providers })
    const body = { model: 'cheap/m', messages: [USER], provider: { primary_factor: 'quality' } }
    const transport = scriptedTransport()
    const options: GatewayOptions = { providers, transport, ids: () => 'id' }
    const explanation = await explainCall(options, {
      path: CHAT,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(await explain(body))
    expect(transport.calls).toHaveLength(0)
  })

  it('knows the path with its query, and the caller', async () => {
    const options: GatewayOptions = { providers, transport: scriptedTransport() }
    const call = {
      path: '/api/vertex-ai/v1beta/models/cheap/m:streamGenerateContent?alt=sse',
      body: '{"contents":[{"parts":[{"text":"Hi"}]}]}',
    }
    expect(await explainCall(options, call)).toMatchObject({ stream: true, protocol: 'genai' })
    const refused = explainCall(options, { ...call, caller: { id: 'few', models: ['good/*'] } })
    await expect(refused).rejects.toMatchObject({ kind: 'permission' })
    await expect(explainCall(options, { path: '/api/v1/models', body: '' })).rejects.toMatchObject({ kind: 'method' })
    await expect(explainCall(options, { path: '/nothing', body: '' })).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('knows what a running gateway has learned, if it shares its memory', async () => {
    const memory = createRouteMemory()
    const { call } = explaining({ providers, memory })
    const body = { model: 'cheap/m', messages: [USER], provider: { type: 'round_robin' } }
    const path = { path: CHAT, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const first = async () => (await explainCall({ providers, transport: scriptedTransport(), memory }, path)).routes[0]
    expect((await first())?.provider).toBe('cheap')
    await call(body)
    expect((await first())?.provider).toBe('good')
  })
})
