import Anthropic from '@anthropic-ai/sdk'
import AnthropicZero from 'anthropic-sdk-0'
import { afterEach, describe, expect, it } from 'vitest'
import { createMessagesDouble } from './messages.ts'
import { createSeals, type Script } from './script.ts'
import type { Double } from './server.ts'

const { sign } = createSeals('messages')
const doubles: Double[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function start(...script: Script): Promise<Double> {
  const double = await createMessagesDouble(script)
  doubles.push(double)
  return double
}

const TOOL = { name: 'add', input_schema: { type: 'object' as const, properties: { a: { type: 'number' } } } }
const ASK = { model: 'm', max_tokens: 4096, messages: [{ role: 'user' as const, content: 'add 1 and 2' }] }
const THINKS: Script[number] = {
  parts: [
    { reasoning: 'two numbers' },
    { text: 'Let me see.' },
    { call: 'add', id: 'toolu_1', input: { a: 1 } },
    { call: 'add', id: 'toolu_2', input: { a: 2 } },
  ],
  usage: { input: 30, output: 9, cacheRead: 10, cacheWrite: 5 },
}

/** The methods that the two official clients have in common. */
interface Client {
  readonly messages: {
    create(
      body: typeof ASK & { readonly tools?: (typeof TOOL)[] },
    ): PromiseLike<{ readonly content: readonly { readonly type: string }[] }>
    stream(body: object): {
      finalMessage(): Promise<Final>
      on(event: 'streamEvent', listener: (event: { readonly type: string }) => void): unknown
    }
    countTokens(body: Pick<typeof ASK, 'model' | 'messages'>): PromiseLike<{ readonly input_tokens: number }>
  }
}

interface Final {
  readonly content: readonly object[]
  readonly stop_reason: string | null
  readonly usage: object
}

describe.each<[string, (url: string) => Client]>([
  ['1.8.0', (url) => new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })],
  ['0.137.0', (url) => new AnthropicZero({ baseURL: url, apiKey: 'key', maxRetries: 0 })],
])('the messages double, driven by its official client %s', (_version, connect) => {
  it('omits the text of its thinking if asked to, and takes the signed block back without it', async () => {
    const double = await start(THINKS, { parts: [{ text: 'Done: 3' }] })
    const client = connect(double.url)
    const thinking = { type: 'enabled' as const, budget_tokens: 1024, display: 'omitted' as const }
    const first = await client.messages.stream({ ...ASK, thinking, tools: [TOOL] }).finalMessage()
    expect(first.content[0]).toEqual({ type: 'thinking', thinking: '', signature: sign('two numbers') })
    const results = ['toolu_1', 'toolu_2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: '1' }))
    const messages = [
      ...ASK.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: results },
    ]
    const second = await client.messages.stream({ ...ASK, messages, thinking, tools: [TOOL] }).finalMessage()
    expect(second.content).toMatchObject([{ type: 'text', text: 'Done: 3' }])
    expect(double.refused).toEqual([])
  })

  it('holds a conversation with thinking and parallel tools, streamed', async () => {
    const double = await start(THINKS, { parts: [{ text: 'Done: 3 ✓' }], sending: { pings: true, pieces: 7 } })
    const client = connect(double.url)
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 }
    const first = await client.messages.stream({ ...ASK, thinking, tools: [TOOL] }).finalMessage()
    expect(first.stop_reason).toBe('tool_use')
    expect(first.content).toEqual([
      { type: 'thinking', thinking: 'two numbers', signature: sign('two numbers') },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } },
      { type: 'tool_use', id: 'toolu_2', name: 'add', input: { a: 2 } },
    ])
    expect(first.usage).toMatchObject({
      input_tokens: 15,
      output_tokens: 9,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 5,
    })
    const results = ['toolu_1', 'toolu_2'].map((id) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: '3',
    }))
    const history = [
      ...ASK.messages,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: results },
    ]
    const second = await client.messages.stream({ ...ASK, thinking, tools: [TOOL], messages: history }).finalMessage()
    expect(second.content).toEqual([{ type: 'text', text: 'Done: 3 ✓' }])
    expect(double.received).toHaveLength(2)
  })

  it('answers without streaming', async () => {
    const double = await start(THINKS)
    const message = await connect(double.url).messages.create({ ...ASK, tools: [TOOL] })
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use'])
  })

  it('counts tokens', async () => {
    const double = await start(THINKS)
    const { model, messages } = ASK
    await expect(connect(double.url).messages.countTokens({ model, messages })).resolves.toMatchObject({
      input_tokens: expect.any(Number) as number,
    })
  })

  it('answers with the error of its script', async () => {
    const double = await start({ status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } })
    await expect(connect(double.url).messages.create(ASK)).rejects.toMatchObject({ status: 529 })
  })

  it.each(['broken', 'clean'] as const)('can stop in the middle: %s', async (how) => {
    const double = await start({ parts: [{ text: 'a long answer' }], sending: { cut: { after: 3, how } } })
    await expect(connect(double.url).messages.stream(ASK).finalMessage()).rejects.toThrow(/terminated|ended without/)
  })

  it('can stall until it is released', async () => {
    const double = await start({ parts: [{ text: 'later' }], sending: { stall: 2 } })
    const stream = connect(double.url).messages.stream(ASK)
    const types: string[] = []
    const stalled = new Promise<void>((resolve) => {
      stream.on('streamEvent', ({ type }) => {
        if (types.push(type) === 2) resolve()
      })
    })
    await stalled
    // Nothing arrives before the release, however many other calls are answered.
    expect(types).toEqual(['message_start', 'content_block_start'])
    double.release()
    await expect(stream.finalMessage()).resolves.toMatchObject({ stop_reason: 'end_turn' })
  })
})

it('accepts members of a beta only with its flag', async () => {
  const double = await start({ parts: [{ text: 'fine' }] })
  const members = { context_management: { edits: [] }, tools: [{ ...TOOL, defer_loading: true }] }
  const send = async (betas: string) => {
    const headers = { 'x-api-key': 'key', 'anthropic-version': '2023-06-01', 'anthropic-beta': betas }
    const body = JSON.stringify({ ...ASK, ...members })
    return (await fetch(`${double.url}/v1/messages`, { method: 'POST', headers, body })).status
  }
  expect(await send('context-management-2025-06-27')).toBe(400)
  expect(await send('advanced-tool-use-2025-11-20')).toBe(400)
  expect(await send('context-management-2025-06-27,advanced-tool-use-2025-11-20')).toBe(200)
})

it('accepts instructions in the middle from its newest models, and their settings only with a flag', async () => {
  const double = await start({ parts: [{ text: 'fine' }] })
  const send = async (model: string, betas: string, members: object = {}) => {
    const headers = { 'x-api-key': 'key', 'anthropic-version': '2023-06-01', 'anthropic-beta': betas }
    const messages = [...ASK.messages, { role: 'system', content: 'Be brief.', ...members }]
    const body = JSON.stringify({ ...ASK, model, messages })
    return (await fetch(`${double.url}/v1/messages`, { method: 'POST', headers, body })).status
  }
  const settings = { output_config: { effort: 'low' } }
  expect(await send('claude-sonnet-4-5', '')).toBe(400)
  expect(await send('claude-opus-5-5', '')).toBe(200)
  expect(await send('claude-opus-5-5', '', settings)).toBe(400)
  expect(await send('claude-opus-5-5', 'per-turn-control-2026-07-01', settings)).toBe(200)
})

describe('what the messages double refuses', () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'add', input: {} }] }
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: '3' }
  const text = { type: 'text', text: 'x' }
  const history = (...content: object[]) => ({ messages: [...ASK.messages, call, { role: 'user', content }] })
  const withContent = (...content: object[]) => ({ messages: [...ASK.messages, { role: 'assistant', content }] })
  const marked = { ...text, cache_control: { type: 'ephemeral' } }

  it.each<[string, object, string]>([
    ['no max_tokens', { max_tokens: undefined }, 'max_tokens'],
    ['max_tokens 0', { max_tokens: 0 }, 'max_tokens'],
    ['no messages', { messages: [] }, 'messages'],
    ['a system role', { messages: [{ role: 'system', content: 'x' }] }, 'messages.0.role'],
    [
      'an empty text block',
      { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      'messages.0.content.0.text',
    ],
    ['an empty content', { messages: [{ role: 'user', content: '' }, ...ASK.messages] }, 'messages.0'],
    ['an unknown member', { routing: {} }, 'body.routing'],
    [
      'an unknown block',
      { messages: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
      'unknown block',
    ],
    ['a call without a result', { messages: [...ASK.messages, call] }, 'without `tool_result`'],
    [
      'a call answered too late',
      { messages: [...ASK.messages, call, call, { role: 'user', content: [result] }] },
      'unique',
    ],
    ['results that do not lead', history(text, result), 'must come first'],
    ['a result that nothing called', { messages: [{ role: 'user', content: [result] }] }, 'unexpected `tool_use_id`'],
    ['a result given twice', history(result, result), 'single result'],
    ['a call by the user', { messages: [{ role: 'user', content: call.content }] }, 'can only be in `assistant`'],
    [
      'an image by the assistant',
      withContent({ type: 'image', source: { type: 'url', url: 'https://x.y/z' } }),
      'can only be in `user`',
    ],
    ['input that is text', withContent({ type: 'tool_use', id: 'a', name: 'b', input: '{}' }), 'input'],
    ['thinking without a signature', withContent({ type: 'thinking', thinking: 'x' }), 'signature'],
    [
      'a signature of someone else',
      withContent({ type: 'thinking', thinking: 'x', signature: 'sig' }),
      'Invalid `signature`',
    ],
    [
      'a signature of someone else without a text',
      withContent({ type: 'thinking', thinking: '', signature: 'sig' }),
      'Invalid `signature`',
    ],
    [
      'a signature for another text',
      withContent({ type: 'thinking', thinking: 'y', signature: sign('x') }),
      'Invalid `signature`',
    ],
    ['hidden thinking of someone else', withContent({ type: 'redacted_thinking', data: 'x' }), 'Invalid `data`'],
    ['temperature above 1', { temperature: 1.1 }, 'temperature'],
    ['top_p above 1', { top_p: 2 }, 'top_p'],
    ['top_k below 0', { top_k: -1 }, 'top_k'],
    ['a blank stop sequence', { stop_sequences: [' '] }, 'stop_sequences.0'],
    ['a thinking budget below 1024', { thinking: { type: 'enabled', budget_tokens: 1000 } }, 'budget_tokens'],
    ['a thinking budget of max_tokens', { thinking: { type: 'enabled', budget_tokens: 4096 } }, 'greater than'],
    [
      'a tool loop that does not show its thinking',
      { ...history(result), tools: [TOOL], thinking: { type: 'enabled', budget_tokens: 1024 } },
      'Expected `thinking`',
    ],
    ['thinking with a temperature', { thinking: { type: 'adaptive' }, temperature: 0.5 }, 'temperature'],
    ['thinking with top_k', { thinking: { type: 'adaptive' }, top_k: 5 }, 'top_k'],
    [
      'thinking with a forced tool',
      { thinking: { type: 'adaptive' }, tools: [TOOL], tool_choice: { type: 'any' } },
      'forces tool use',
    ],
    ['a tool name with a dot', { tools: [{ ...TOOL, name: 'a.b' }] }, 'tools.0.name'],
    ['a tool name of 129 characters', { tools: [{ ...TOOL, name: 'a'.repeat(129) }] }, 'tools.0.name'],
    ['two tools of one name', { tools: [TOOL, TOOL] }, 'unique'],
    ['a tool without a schema', { tools: [{ name: 'a' }] }, 'input_schema'],
    ['a choice of no tools', { tool_choice: { type: 'auto' } }, 'while providing tools'],
    ['a choice of an unknown tool', { tools: [TOOL], tool_choice: { type: 'tool', name: 'sub' } }, 'not found'],
    [
      'a cache mark of an unknown kind',
      { system: [{ ...text, cache_control: { type: 'forever' } }] },
      'cache_control.type',
    ],
    [
      'a cache mark with an odd ttl',
      { system: [{ ...text, cache_control: { type: 'ephemeral', ttl: '2h' } }] },
      'cache_control.ttl',
    ],
    ['five cache marks', { system: [marked, marked, marked, marked, marked] }, 'maximum of 4'],
    [
      'an image of an odd type',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'AAAA' } }],
          },
        ],
      },
      'media_type',
    ],
    ['an unknown effort', { output_config: { effort: 'minimal' } }, 'effort'],
    ['metadata beyond a user id', { metadata: { trace: 'x' } }, 'metadata.trace'],
  ])('%s', async (_name, change, why) => {
    const double = await start({ parts: [{ text: 'ok' }] })
    const response = await post(double, { ...ASK, ...change })
    expect(response.status).toBe(400)
    await expect(response.json()).resolves.toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(double.refused.join()).toContain(why)
    expect(double.received).toEqual([])
  })

  it('a call without a version, or with an unknown one', async () => {
    const double = await start({ parts: [{ text: 'ok' }] })
    expect((await post(double, ASK, { 'x-api-key': 'key' })).status).toBe(400)
    expect((await post(double, ASK, { 'x-api-key': 'key', 'anthropic-version': '2020-01-01' })).status).toBe(400)
    expect(double.refused).toHaveLength(2)
  })

  it('a call without a key', async () => {
    const double = await start({ parts: [{ text: 'ok' }] })
    expect((await post(double, ASK, { 'anthropic-version': '2023-06-01' })).status).toBe(401)
  })

  it('does not include valid requests', async () => {
    const double = await start({ parts: [{ text: 'ok' }] })
    const response = await post(double, {
      ...ASK,
      ...history(result, text),
      tools: [TOOL],
      system: [marked],
      x_later: 1,
    })
    expect(response.status).toBe(200)
  })
})

const HEADERS = { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' }

function post(double: Double, body: object, headers: { [name: string]: string } = HEADERS): Promise<Response> {
  return fetch(`${double.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) })
}
