import { brokenText } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { messages } from './endpoints.ts'
import { at, MODELS, useEndpoint, type Wire } from './fields.ts'

const { answer, stream, post } = useEndpoint(messages)

const says = (text: string, members: Wire = {}): Wire => ({ messages: [{ role: 'user', content: text }], ...members })
const thinking = { max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 2000 } }
const tools = [
  {
    name: 'get_weather',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

/** The events of a stream. Each must have a name, which its data repeats. */
function eventsOf(text: string): Wire[] {
  expect(text.endsWith('\n\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n\n')
    .map((frame) => {
      const [, name, data = ''] = /^event: (\w+)\ndata: (.+)$/.exec(frame) ?? []
      const event = JSON.parse(data) as Wire
      expect(event['type']).toBe(name)
      return event
    })
}

const deltasOf = (events: readonly Wire[], index: number): Wire[] =>
  events
    .filter((event) => event['type'] === 'content_block_delta' && event['index'] === index)
    .map(({ delta }) => delta as Wire)

describe.each(MODELS)('a response of %s to messages', (model) => {
  const stopOf = async (members: Wire): Promise<unknown> => (await answer(members, { model }))['stop_reason']

  it('[msg.res:in] has its members and a stop reason', async () => {
    const body = await answer(says('Hello'), { model })
    expect(body).toMatchObject({
      id: expect.any(String) as string,
      type: 'message',
      role: 'assistant',
      model: expect.stringContaining(model.slice(4)) as string,
      content: [{ type: 'text', text: expect.stringContaining('"Hello"') as string }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    })
    expect(await stopOf(says('Hello', { max_tokens: 2 }))).toBe('max_tokens')
    expect(await stopOf(says('Use get_weather', { tools }))).toBe('tool_use')
  })

  it('[msg.refusal:in] [err.moderation] reports that the model declined, or that the prompt was blocked', async () => {
    expect(await stopOf(says('[[refuse]] Hello'))).toBe('refusal')
    expect(await stopOf(says('[[block]] Hello'))).toBe('refusal')
    const events = eventsOf(await stream(says('[[refuse]] Hello'), { model }))
    expect(at(events.at(-2), 'delta', 'stop_reason')).toBe('refusal')
  })

  it('[msg.res.usage:in] counts', async () => {
    const { input_tokens, output_tokens } = (await answer(says('12345678'), { model }))['usage'] as Record<
      string,
      number
    >
    expect(input_tokens).toBe(2)
    expect(output_tokens).toBeGreaterThan(10)
  })

  it('[msg.stream.deltas:in] [msg.stream.usage:in] [sse.format] streams reasoning, signatures and arguments in pieces', async () => {
    const events = eventsOf(await stream(says('Use get_weather for Rome.', { ...thinking, tools }), { model }))
    const starts = events.filter(({ type }) => type === 'content_block_start')
    expect(starts.map(({ content_block }) => at(content_block, 'type'))).toEqual(['thinking', 'tool_use'])
    const thought = deltasOf(events, 0)
    expect(thought.map(({ type }) => type).indexOf('signature_delta')).toBe(thought.length - 1)
    expect(thought.slice(0, -1).every(({ type }) => type === 'thinking_delta')).toBe(true)
    const call = deltasOf(events, 1)
    expect(call.every(({ type }) => type === 'input_json_delta')).toBe(true)
    expect(JSON.parse(call.map(({ partial_json }) => String(partial_json)).join(''))).toEqual({ city: 'example' })
    const last = events.find(({ type }) => type === 'message_delta')
    expect(at(last, 'usage', 'output_tokens')).toBeGreaterThan(10)
    // Also at the path that the document's table names.
    expect(at(last, 'delta', 'usage')).toEqual(at(last, 'usage'))
    expect(events.at(-1)).toEqual({ type: 'message_stop' })
  })

  it('[msg.stream.deltas:in] streams text and citations', async () => {
    const events = eventsOf(await stream(says('[[cite]] Hello'), { model }))
    const deltas = deltasOf(events, 0)
    expect(
      deltas
        .filter(({ type }) => type === 'text_delta')
        .map(({ text }) => String(text))
        .join(''),
    ).toContain('"Hello"')
    const cited = deltas.filter(({ type }) => type === 'citations_delta')
    expect(cited).toMatchObject([
      { citation: { type: 'web_search_result_location', url: 'https://sim.invalid/handbook' } },
    ])
  })

  it('[msg.stream.error:in] [err.midstream] ends a broken stream with an error', async () => {
    const broken = await post(says('[[cut]] Tell me a long story'), { model, stream: true })
    const events = eventsOf(await brokenText(broken))
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      error: { type: 'api_error', message: expect.any(String) as string },
    })
    expect(events.some(({ type }) => type === 'message_stop')).toBe(false)
  })
})

describe('a messages response', () => {
  it('[msg.res.usage:in] counts tokens written to the cache', async () => {
    const cached = (text: string, ttl: string): Wire => ({
      type: 'text',
      text,
      cache_control: { type: 'ephemeral', ttl },
    })
    const content = [cached('12345678', '1h'), cached('1234', '5m'), { type: 'text', text: '[[search]] 123456789012' }]
    const { usage } = await answer({ messages: [{ role: 'user', content }] })
    expect(usage).toMatchObject({
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 2 },
      server_tool_use: { web_search_requests: 1 },
    })
    expect(at(usage, 'input_tokens')).toBe(6)
  })

  it('[msg.pause_turn:in] pauses, and continues when its own turn is sent back', async () => {
    const paused = await answer(says('[[pause]] [[search]] Why?'))
    expect(paused['stop_reason']).toBe('pause_turn')
    const turns = [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: paused['content'] },
    ]
    expect(await answer({ messages: turns })).toMatchObject({ stop_reason: 'end_turn' })
    const events = eventsOf(await stream(says('[[pause]] Why?')))
    expect(at(events.at(-2), 'delta', 'stop_reason')).toBe('pause_turn')
  })
})

describe('the messages headers', () => {
  const asked = async (headers: Record<string, string>): Promise<[number, string]> => {
    const answered = await post(says('Hello'), { headers })
    return [answered.status, await answered.text()]
  }

  it('[auth.messages.version] are refused with another version, or none, and the error names the header', async () => {
    const [status, text] = await asked({ 'anthropic-version': '2020-01-01' })
    expect([status, text]).toEqual([400, expect.stringMatching(/anthropic-version.*2023-06-01/)])
    const [partner, message] = await asked({ 'partner-version': '2026-10-21' })
    expect([partner, message]).toEqual([400, expect.stringMatching(/partner-version.*2023-06-01/)])
    expect((await asked({ 'anthropic-version': '2026-10-21' }))[0]).toBe(200)
    const none = await asked({ 'anthropic-version': '' })
    expect(none[0]).toBe(400)
  })

  it('[auth.messages.key] accept the key in either header', async () => {
    expect((await asked({ 'x-api-key': 'sk-wrong' }))[0]).toBe(401)
    expect((await asked({}))[0]).toBe(200)
  })

  it('[auth.messages.content-type] accept only JSON', async () => {
    expect((await asked({ 'content-type': 'application/json; charset=utf-8' }))[0]).toBe(200)
    const [status, text] = await asked({ 'content-type': 'text/plain' })
    expect([status, text]).toEqual([415, expect.stringContaining('content-type')])
  })

  it.each(['anthropic-beta', 'partner-beta'])(
    '[auth.messages.beta] accept unknown values of %s and refuse code execution',
    async (name) => {
      expect((await asked({ [name]: 'structured-outputs-2025-11-13, another-2030-01-01' }))[0]).toBe(200)
      const [status, text] = await asked({ [name]: 'other-beta,code-execution-2025-08-25' })
      expect([status, text]).toEqual([400, expect.stringContaining('code-execution-2025-08-25')])
    },
  )
})
