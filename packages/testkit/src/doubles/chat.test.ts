import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { createChatDouble } from './chat.ts'
import { createSeals, type Script } from './script.ts'
import type { Double } from './server.ts'

const { sign } = createSeals('chat')
const doubles: Double[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function start(...script: Script): Promise<Double> {
  const double = await createChatDouble(script)
  doubles.push(double)
  return double
}

function connect(double: Double): OpenAI {
  return new OpenAI({ baseURL: double.url, apiKey: 'key', maxRetries: 0 })
}

const TOOL = { type: 'function' as const, function: { name: 'add', parameters: { type: 'object', properties: {} } } }
const ASK = { model: 'm', messages: [{ role: 'user' as const, content: 'add 1 and 2' }] }
const THINKS: Script[number] = {
  parts: [
    { reasoning: 'two numbers' },
    { text: 'Let me see.' },
    { call: 'add', id: 'call_1', input: { a: 1 } },
    { call: 'add', id: 'call_2', input: {} },
  ],
  usage: { input: 30, output: 9, cacheRead: 10, reasoning: 2 },
}

describe('the chat double with its official client 7.53.0', () => {
  it('accepts what the stream helper of the official Python client sends back', async () => {
    const double = await start({ parts: [{ text: 'Done.' }] })
    const called = { name: 'add', arguments: '{}', parsed_arguments: null }
    const messages = [
      ...ASK.messages,
      { role: 'assistant', content: 'Which?', tool_calls: null, parsed: null, refusal: null },
      { role: 'user', content: 'both' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', index: 0, type: 'function', function: called }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '3' },
    ] as OpenAI.ChatCompletionMessageParam[] // nulls and the index are not in the types
    await connect(double).chat.completions.create({ ...ASK, messages, tools: [TOOL] })
    expect(double.refused).toEqual([])
  })

  it('holds a conversation with reasoning and parallel tools, streamed', async () => {
    const double = await start(THINKS, { parts: [{ text: 'Done: 3 ✓' }], sending: { pings: true, pieces: 7 } })
    const client = connect(double)
    const first = await client.chat.completions
      .stream({ ...ASK, tools: [TOOL], stream_options: { include_usage: true } })
      .finalChatCompletion()
    const message = first.choices[0]!.message
    expect(first.choices[0]!.finish_reason).toBe('tool_calls')
    expect(message).toMatchObject({
      content: 'Let me see.',
      // The helper does not know `reasoning` and keeps only its last piece; the details arrive complete.
      reasoning_details: [{ type: 'reasoning.text', text: 'two numbers', signature: sign('two numbers') }],
      tool_calls: [
        { id: 'call_1', function: { name: 'add', arguments: '{"a":1}' } },
        { id: 'call_2', function: { name: 'add', arguments: '{}' } },
      ],
    })
    expect(first.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 })
    const results = ['call_1', 'call_2'].map((id) => ({ role: 'tool' as const, tool_call_id: id, content: '3' }))
    const history = [...ASK.messages, message as OpenAI.ChatCompletionMessageParam, ...results] // a response can be sent back
    const second = await client.chat.completions
      .stream({ ...ASK, tools: [TOOL], messages: history })
      .finalChatCompletion()
    expect(second.choices[0]!.message.content).toBe('Done: 3 ✓')
    expect(double.refused).toEqual([])
    expect(double.received).toHaveLength(2)
  })

  it('answers without streaming', async () => {
    const double = await start(THINKS)
    const { choices, usage } = await connect(double).chat.completions.create({ ...ASK, tools: [TOOL] })
    expect(choices[0]!.message.tool_calls).toHaveLength(2)
    expect(usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 2 },
    })
  })

  it('answers with the error of its script', async () => {
    const double = await start({
      status: 429,
      error: { type: 'rate_limit', message: 'Slow down' },
      headers: { 'retry-after': '7' },
    })
    await expect(connect(double).chat.completions.create(ASK)).rejects.toMatchObject({ status: 429 })
  })

  it.each(['broken', 'clean'] as const)('can stop in the middle: %s', async (how) => {
    const double = await start({ parts: [{ text: 'a long answer' }], sending: { cut: { after: 2, how } } })
    await expect(connect(double).chat.completions.stream(ASK).finalChatCompletion()).rejects.toThrow(
      /terminated|missing finish_reason/,
    )
  })

  it('chooses its answers by the call', async () => {
    const double = await start({ parts: [{ text: 'from the script' }] })
    double.reply(({ body }) => ({ parts: [{ text: `for ${String(body['model'])}` }] }))
    const ask = async (model: string) => {
      const { choices } = await connect(double).chat.completions.create({ ...ASK, model })
      return choices[0]?.message.content
    }
    expect([await ask('one'), await ask('two')]).toEqual(['for one', 'for two'])
    expect(double.received).toHaveLength(2)
  })

  it('sends usage only if requested', async () => {
    const double = await start({ parts: [{ text: 'x' }] })
    const stream = await connect(double).chat.completions.create({ ...ASK, stream: true })
    for await (const chunk of stream) expect(chunk.usage).toBeUndefined()
  })
})

describe('what the chat double refuses', () => {
  const called = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{}' } }
  const call = { role: 'assistant', content: null, tool_calls: [called] }
  const result = { role: 'tool', tool_call_id: 'call_1', content: '3' }
  const withMessages = (...messages: object[]) => ({ messages: [...ASK.messages, ...messages] })
  const user = (part: object) => ({ messages: [{ role: 'user', content: [part] }] })
  const named = (name: string) => ({ tools: [{ type: 'function', function: { name } }] })

  it.each<[string, object, string]>([
    ['no messages', { messages: [] }, 'messages'],
    ['an unknown role', withMessages({ role: 'model', content: 'x' }), 'unknown role'],
    ['an assistant message without content', withMessages({ role: 'assistant', content: null }), 'required unless'],
    ['an empty list of parts', { messages: [{ role: 'user', content: [] }] }, 'must not be empty'],
    [
      'an image from the assistant',
      withMessages({ role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'https://x.y' } }] }),
      'content.0.type',
    ],
    ['a call without its answer', withMessages(call), 'did not have response'],
    [
      'a call that is answered late',
      withMessages(call, { role: 'user', content: 'x' }, result),
      'did not have response',
    ],
    [
      'a call of two that is not answered',
      withMessages({ ...call, tool_calls: [called, { ...called, id: 'call_2' }] }, result),
      'call_2',
    ],
    ['a result without a call', withMessages(result), "role 'tool'"],
    [
      'arguments that are an object',
      withMessages({ ...call, tool_calls: [{ ...called, function: { name: 'add', arguments: {} } }] }, result),
      'arguments',
    ],
    ['an empty list of calls', withMessages({ ...call, content: 'x', tool_calls: [] }), 'must not be empty'],
    ['a tool name with a dot', named('a.b'), 'tools.0.function.name'],
    ['a tool name of 65 characters', named('a'.repeat(65)), 'tools.0.function.name'],
    ['an empty list of tools', { tools: [] }, 'must not be empty'],
    ['a choice of no tools', { tool_choice: 'auto' }, 'only allowed when tools'],
    ['parallel calls of no tools', { parallel_tool_calls: true }, 'only allowed when tools'],
    [
      'a choice of an unknown tool',
      { ...named('add'), tool_choice: { type: 'function', function: { name: 'sub' } } },
      'tool_choice.function.name',
    ],
    ['five stop sequences', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'at most 4'],
    ['n of 129', { n: 129 }, 'n:'],
    ['temperature above 2', { temperature: 2.1 }, 'temperature'],
    ['a penalty above 2', { presence_penalty: 3 }, 'presence_penalty'],
    ['a bias above 100', { logit_bias: { 1: 101 } }, 'logit_bias'],
    ['top_logprobs without logprobs', { top_logprobs: 2 }, 'needs logprobs'],
    ['max_completion_tokens of 0', { max_completion_tokens: 0 }, 'max_completion_tokens'],
    ['stream_options without a stream', { stream_options: { include_usage: true } }, 'only allowed when stream'],
    [
      'a schema name with a space',
      { response_format: { type: 'json_schema', json_schema: { name: 'a b', schema: {} } } },
      'json_schema.name',
    ],
    ['an unknown format', { response_format: { type: 'xml' } }, 'response_format.type'],
    ['metadata that is not text', { metadata: { a: 1 } }, 'metadata.a'],
    [
      'seventeen pairs of metadata',
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, ''])) },
      'at most 16',
    ],
    ['an unknown member', { top_k: 3 }, 'body.top_k'],
    ['an unknown part', user({ type: 'input_text', text: 'x' }), 'content.0.type'],
    ['an image that is neither URL nor data', user({ type: 'image_url', image_url: { url: 'AAAA' } }), 'image_url.url'],
    [
      'audio of an odd format',
      user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }),
      'input_audio.format',
    ],
    ['a file without its data', user({ type: 'file', file: { filename: 'x' } }), 'needs file_id'],
    [
      'reasoning signed by someone else',
      withMessages({
        role: 'assistant',
        content: 'x',
        reasoning_details: [{ type: 'reasoning.text', text: 'x', signature: 'sig' }],
      }),
      'was not issued here',
    ],
    [
      'hidden reasoning of someone else',
      withMessages({
        role: 'assistant',
        content: 'x',
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'sig' }],
      }),
      'was not issued here',
    ],
  ])('%s', async (_name, change, why) => {
    const double = await start({ parts: [{ text: 'ok' }] })
    const response = await post(double, { ...ASK, ...change })
    expect(response.status).toBe(400)
    await expect(response.json()).resolves.toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(double.refused.join()).toContain(why)
    expect(double.received).toEqual([])
  })

  it('a call without a key', async () => {
    const double = await start({ parts: [{ text: 'ok' }] })
    expect((await post(double, ASK, {})).status).toBe(401)
  })

  it('does not include valid requests', async () => {
    const double = await start({ parts: [{ text: 'ok' }] })
    const response = await post(double, {
      ...ASK,
      ...withMessages(call, result),
      ...named('add'),
      stop: ['a'],
      n: 1,
      x_later: 1,
    })
    expect(response.status).toBe(200)
  })
})

function post(
  double: Double,
  body: object,
  headers: { [name: string]: string } = { authorization: 'Bearer key' },
): Promise<Response> {
  return fetch(`${double.url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
}
