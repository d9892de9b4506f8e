import { describe, expect, it } from 'vitest'
import { streamFrom } from '../../../test/answer-responses.ts'
import { chat, messages, responses } from '../../../test/untyped.ts'
import { DragomanError } from '../../ir/error.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'

const tools = [
  { type: 'namespace', name: 'fs', tools: [{ type: 'function', name: 'exec', parameters: { type: 'object' } }] },
  { type: 'custom', name: 'apply_patch' },
]
const asked = { model: 'm', input: 'Go.', tools, temperature: 0.5, metadata: { team: 'a' }, store: true }
const PATCH = '*** Begin Patch\n+ "a"\n*** End Patch'
const content = [
  { type: 'thinking', thinking: 'hm', signature: 'SIG' },
  { type: 'text', text: 'I edit.' },
  { type: 'tool_use', id: 'toolu_1', name: 'fs__exec', input: { cmd: 'ls' } },
  { type: 'tool_use', id: 'toolu_2', name: 'apply_patch', input: { input: PATCH } },
]
const usage = { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 3 }
const answer = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'tool_use', usage }

function answered(body: JsonObject, request: JsonObject = asked): JsonObject {
  return translate(responses, messages, responses.request.check(request)).response(body).body
}

/** The events that a client gets for a stream of a messages model. */
function streamed(events: readonly JsonObject[], fail?: DragomanError): JsonObject[] {
  let text = ''
  const translation = translate(responses, messages, responses.request.check({ ...asked, stream: true }))
  const stream = translation.answerStream((piece) => (text += piece))
  stream.push(new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')))
  if (fail !== undefined) stream.fail(fail)
  else stream.end()
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as JsonObject)
}

const start = { type: 'message_start', message: { ...answer, content: [], stop_reason: null } }

describe('an answer of a messages model', () => {
  it('has calls of custom tools and of namespaces as their tools are declared', () => {
    const output = answered(answer)['output'] as JsonObject[]
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'custom_tool_call'])
    expect(output[2]).toMatchObject({ call_id: 'toolu_1', namespace: 'fs', name: 'exec', arguments: '{"cmd":"ls"}' })
    expect(output[3]).toMatchObject({ call_id: 'toolu_2', name: 'apply_patch', input: PATCH, status: 'completed' })
  })

  it('has its thoughts as a summary, sealed for the way back', () => {
    const [reasoning] = answered(answer)['output'] as JsonObject[]
    expect(reasoning).toMatchObject({
      summary: [{ type: 'summary_text', text: 'hm' }],
      encrypted_content: 'dg1.anthropic.self.SIG',
    })
  })

  it('repeats its request, stores nothing, and has all totals', () => {
    const body = answered(answer)
    expect(body).toMatchObject({ tools, temperature: 0.5, metadata: { team: 'a' }, store: false, status: 'completed' })
    expect(body['usage']).toEqual({
      input_tokens: 7,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 10,
    })
  })

  it.each([
    ['max_tokens', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
    ['end_turn', { status: 'completed', incomplete_details: null }],
  ])('ends with %s', (stop_reason, end) => {
    expect(answered({ ...answer, content: [{ type: 'text', text: 'a' }], stop_reason })).toMatchObject(end)
  })
})

describe('a stream of a messages model', () => {
  const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
  const json = JSON.stringify({ input: PATCH })
  const events = [
    start,
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'hm' },
      { type: 'signature_delta', signature: 'SIG' },
    ),
    ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'I ' }, { type: 'text_delta', text: 'edit.' }),
    ...block(
      2,
      { type: 'tool_use', id: 'toolu_2', name: 'apply_patch', input: {} },
      { type: 'input_json_delta', partial_json: json.slice(0, 20) },
      { type: 'input_json_delta', partial_json: json.slice(20) },
    ),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]

  it('has the order of events that the official helper needs, numbered from 0', () => {
    const sent = streamed(events)
    expect(sent.map(({ sequence_number }) => sequence_number)).toEqual(sent.map((_event, index) => index))
    expect(sent.map(({ type }) => (type as string).replace(/^response\./, ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.done',
      'output_item.done',
      'completed',
    ])
  })

  it('has the text of a custom call unescaped, and the whole output at its end', () => {
    const sent = streamed(events)
    const deltas = sent.filter(({ type }) => type === 'response.custom_tool_call_input.delta')
    expect(deltas.map(({ delta }) => delta as string).join('')).toBe(PATCH)
    const done = sent.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []))
    expect(sent.at(-1)).toMatchObject({ response: { output: done } })
  })

  it('that fails says so twice: the official SDK reads one event, and codex the other', () => {
    const sent = streamed([start], new DragomanError('rate-limit', 'Too many calls.', { retryAfter: 7 }))
    const [error, failed] = sent.slice(-2)
    expect(error).toMatchObject({ type: 'error', code: 'rate_limit_exceeded', error: { code: 'rate_limit_exceeded' } })
    expect(failed).toMatchObject({
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: expect.stringContaining('try again in 7s') },
      },
    })
  })

  it('is kept alive by an event: comments do not reset the timer of codex (trap 124)', () => {
    expect(responses.stream.keepAlive(undefined)).toBe('event: keepalive\ndata: {"type":"keepalive"}\n\n')
  })
})

describe('a stream of a chat model with interleaved calls', () => {
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const begin = (index: number) =>
    chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'f', arguments: '' } }] })
  const piece = (index: number, text: string) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })
  const chunks = [begin(0), begin(1), piece(0, '{"n"'), piece(1, '{"n":'), piece(0, ':0}'), piece(1, '1}')]

  it('has one item after another, for clients that know one current item (trap 127)', () => {
    const events = streamFrom('chat', [...chunks, chunk({}, 'tool_calls')])
    const calls = events.flatMap(({ type, output_index, delta }) =>
      /output_item|arguments\.delta/.test(type as string) ? [[type, output_index, delta]] : [],
    )
    expect(calls).toEqual([
      ['response.output_item.added', 0, undefined],
      ['response.function_call_arguments.delta', 0, '{"n"'],
      ['response.function_call_arguments.delta', 0, ':0}'],
      ['response.output_item.done', 0, undefined],
      ['response.output_item.added', 1, undefined],
      ['response.function_call_arguments.delta', 1, '{"n":'],
      ['response.function_call_arguments.delta', 1, '1}'],
      ['response.output_item.done', 1, undefined],
    ])
  })
})

describe('a stream of an upstream that speaks responses', () => {
  const event = (type: string, more: JsonObject): JsonObject => ({ type: `response.${type}`, ...more })
  const call = (index: number): JsonObject => ({
    type: 'function_call',
    id: `fc_${index}`,
    call_id: `call_${index}`,
    name: 'f',
    arguments: `{"n":${index}}`,
  })
  const calls = [call(0), call(1)]

  it('may have interleaved calls: each gets its own arguments (trap 103)', () => {
    const events = [
      event('created', { response: { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [] } }),
      ...calls.map((item, output_index) =>
        event('output_item.added', { output_index, item: { ...item, arguments: '' } }),
      ),
      event('function_call_arguments.delta', { output_index: 0, item_id: 'fc_0', delta: '{"n":' }),
      event('function_call_arguments.delta', { output_index: 1, item_id: 'fc_1', delta: '{"n":1}' }),
      event('function_call_arguments.delta', { output_index: 0, item_id: 'fc_0', delta: '0}' }),
      ...calls.map((item, output_index) => event('output_item.done', { output_index, item })),
      event('completed', { response: { id: 'resp_1', object: 'response', status: 'completed', output: calls } }),
    ]
    let text = ''
    const request = { model: 'm', messages: [{ role: 'user', content: 'Go.' }], stream: true }
    const stream = translate(chat, responses, request).answerStream((piece) => (text += piece))
    stream.push(new TextEncoder().encode(events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')))
    stream.end()
    const read = new Map<number, string>()
    for (const [, json = ''] of text.matchAll(/^data: (\{.*)$/gm)) {
      const { choices } = JSON.parse(json) as {
        choices: { delta: { tool_calls?: { index: number; function: { arguments?: string } }[] } }[]
      }
      for (const { index, function: called } of choices[0]?.delta.tool_calls ?? [])
        read.set(index, (read.get(index) ?? '') + (called.arguments ?? ''))
    }
    expect([...read]).toEqual([
      [0, '{"n":0}'],
      [1, '{"n":1}'],
    ])
  })
})
