import { describe, expect, it } from 'vitest'
import { eventsOf, streamFor } from '../../../test/answer-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const event = (type: string, members: JsonObject = {}): JsonObject => ({ type: `response.${type}`, ...members })
const created = event('created', { response: { id: 'resp_1', created_at: 1, model: 'gpt', output: [] } })
const completed = (members: JsonObject = {}): JsonObject =>
  event('completed', { response: { id: 'resp_1', status: 'completed', output: [], ...members } })
const at = { item_id: 'x', output_index: 0 }
const message = (...content: JsonObject[]): JsonObject => ({ type: 'message', id: 'x', role: 'assistant', content })
const text = (words: string, annotations: JsonObject[] = []): JsonObject => ({
  type: 'output_text',
  text: words,
  annotations,
})
const item = (shell: JsonObject, whole: JsonObject, ...inside: JsonObject[]): JsonObject[] => [
  event('output_item.added', { output_index: 0, item: shell }),
  ...inside,
  event('output_item.done', { output_index: 0, item: whole }),
]
const hello = item(
  message(),
  message(text('Hi there')),
  event('content_part.added', { ...at, content_index: 0, part: text('') }),
  event('output_text.delta', { ...at, content_index: 0, delta: 'Hi ', obfuscation: 'xyz' }),
  event('output_text.delta', { ...at, content_index: 0, delta: 'there' }),
  event('output_text.done', { ...at, content_index: 0, text: 'Hi there' }),
)

/** The chunks of a chat client: the deltas, and how it ends. */
function chatOf(
  ...events: (JsonObject | string)[]
): { readonly delta: JsonObject; readonly finish_reason: string | null }[] {
  const chunks = eventsOf(streamFor('chat', events, { reasoning_effort: 'low' }))
  return chunks.flatMap(({ choices }) => choices as never)
}
const joined = (events: JsonObject[], member: string): string =>
  chatOf(created, ...events, completed())
    .map(({ delta }) => (delta[member] ?? '') as string)
    .join('')
const blocks = (...events: JsonObject[]): JsonObject[] =>
  eventsOf(streamFor('messages', [created, ...events, completed()]))

describe('a stream of an upstream that speaks Responses', () => {
  it.each(['created', 'in_progress', 'queued'])('[resp.event.created:through] begins with %s', (type) => {
    const [first] = eventsOf(streamFor('messages', [{ ...created, type: `response.${type}` }, ...hello, completed()]))
    expect(first).toMatchObject({ type: 'message_start', message: { id: 'resp_1', model: 'gpt' } })
  })

  it('[resp.event.output_text:through] [resp.event.content_part:through] [resp.event.output_item:through] has text as it comes', () => {
    const deltas = chatOf(created, ...hello, completed()).flatMap(({ delta }) => delta['content'] ?? [])
    expect(deltas.filter((delta) => delta !== '')).toEqual(['Hi ', 'there'])
  })

  it('[resp.event.output_item:through] is complete with whole items alone, and in the order of their indexes with gaps', () => {
    const [, done = {}] = item(message(), message(text('Hi there')))
    expect(joined([{ ...done, output_index: 7 }], 'content')).toBe('Hi there')
  })

  it('[resp.event.content_part:through] announces a part, also one of an unknown kind', () => {
    const odd = { type: 'of_the_future', data: 'x' }
    const events = item(
      message(),
      message(odd),
      event('content_part.added', { ...at, content_index: 0, part: odd }),
      event('content_part.done', { ...at, content_index: 0, part: odd }),
    )
    expect(streamFor('responses', [created, ...events, completed()])).toContain('"of_the_future"')
  })

  it('[resp.event.annotation:through] has citations, which the whole item repeats', () => {
    const annotation = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 }
    const cited = item(
      message(),
      message(text('Hi', [annotation])),
      event('output_text.delta', { ...at, content_index: 0, delta: 'Hi' }),
      event('output_text.annotation.added', { ...at, content_index: 0, annotation_index: 0, annotation }),
    )
    const deltas = blocks(...cited).filter(
      ({ delta }) => (delta as JsonObject | undefined)?.['type'] === 'citations_delta',
    )
    expect(deltas).toMatchObject([{ delta: { citation: { url: 'https://a.example', title: 'A' } } }])
  })

  it('[resp.event.refusal:through] has a refusal', () => {
    const refused = item(
      message(),
      message({ type: 'refusal', refusal: 'No.' }),
      event('refusal.delta', { ...at, content_index: 0, delta: 'No' }),
      event('refusal.delta', { ...at, content_index: 0, delta: '.' }),
    )
    const pieces = chatOf(created, ...refused, completed()).flatMap(({ delta }) => delta['refusal'] ?? [])
    expect(pieces).toEqual(['No', '.'])
  })

  it('[resp.event.reasoning_summary:through] [resp.stream.last] has a summary, with the encrypted content of its end', () => {
    const shell = { type: 'reasoning', id: 'x', summary: [], encrypted_content: 'EARLY' }
    const summary = [{ type: 'summary_text', text: 'Hm.' }]
    const thought = item(
      shell,
      { ...shell, summary, encrypted_content: 'LATE' },
      event('reasoning_summary_part.added', { ...at, summary_index: 0, part: { type: 'summary_text', text: '' } }),
      event('reasoning_summary_text.delta', { ...at, summary_index: 0, delta: 'Hm.' }),
      event('reasoning_summary_text.done', { ...at, summary_index: 0, text: 'Hm.' }),
    )
    expect(joined(thought, 'reasoning')).toBe('Hm.')
    const all = JSON.stringify(blocks(...thought))
    expect([all.includes('self.LATE'), all.includes('EARLY')]).toEqual([true, false])
  })

  it('[resp.event.reasoning_text] has thoughts as they are', () => {
    const shell = { type: 'reasoning', id: 'x', summary: [] }
    const thought = item(
      shell,
      { ...shell, content: [{ type: 'reasoning_text', text: 'Hm.' }], encrypted_content: 'gAAA' },
      event('reasoning_text.delta', { ...at, content_index: 0, delta: 'Hm' }),
      event('reasoning_text.delta', { ...at, content_index: 0, delta: '.' }),
    )
    expect(joined(thought, 'reasoning')).toBe('Hm.')
  })

  it('[resp.event.function_call_arguments:through] has arguments as they come', () => {
    const call = { type: 'function_call', id: 'x', call_id: 'call_1', name: 'look', arguments: '' }
    const events = item(
      call,
      { ...call, arguments: '{"at":1}' },
      event('function_call_arguments.delta', { ...at, delta: '{"at"' }),
      event('function_call_arguments.delta', { ...at, delta: ':1}' }),
    )
    const pieces = blocks(...events).flatMap(({ delta }) => (delta as JsonObject | undefined)?.['partial_json'] ?? [])
    expect(pieces.filter((piece) => piece !== '')).toEqual(['{"at"', ':1}'])
    expect(chatOf(created, ...events, completed()).at(-1)?.finish_reason).toBe('tool_calls')
  })

  it('[resp.event.custom_tool_call_input:through] has the text of a custom call', () => {
    const call = { type: 'custom_tool_call', id: 'x', call_id: 'call_1', name: 'run', input: '' }
    const events = item(
      call,
      { ...call, input: 'a "b"' },
      event('custom_tool_call_input.delta', { ...at, delta: 'a "b"' }),
    )
    const calls = chatOf(created, ...events, completed()).flatMap(({ delta }) => delta['tool_calls'] ?? [])
    expect(JSON.stringify(calls)).toContain('"input":"a \\"b\\""')
  })

  it('[resp.event.web_search_call:through] has a search when it is done', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'in_progress' }
    const action = { type: 'search', query: 'sky' }
    const steps = ['in_progress', 'searching', 'completed'].map((step) => event(`web_search_call.${step}`, at))
    const starts = blocks(...item(search, { ...search, status: 'completed', action }, ...steps)).flatMap(
      ({ content_block }) => content_block ?? [],
    )
    expect(starts).toMatchObject([{ type: 'server_tool_use', name: 'web_search', id: 'ws_1' }])
  })

  it('[resp.event.completed:through] ends it, with usage; nothing after it counts', () => {
    const usage = { input_tokens: 5, output_tokens: 3, total_tokens: 8 }
    const all = eventsOf(streamFor('messages', [created, ...hello, completed({ usage }), ...hello, completed()]))
    expect(all.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 5, output_tokens: 3 },
    })
    expect(all.filter(({ type }) => type === 'message_stop')).toHaveLength(1)
    expect(joined([...hello, completed(), ...hello], 'content')).toBe('Hi there')
    expect(joined([completed({ output: [message(text('Whole.'))] })], 'content')).toBe('Whole.')
  })

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('[resp.event.incomplete:through] with %s ends a chat stream with %s', (reason, finish) => {
    const response = { status: 'incomplete', incomplete_details: { reason }, output: [] }
    expect(chatOf(created, ...hello, event('incomplete', { response })).at(-1)?.finish_reason).toBe(finish)
  })

  it('[resp.event.incomplete:through] inside a call ends a chat stream with length, not with calls', () => {
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'look',
      arguments: '{"a',
      status: 'incomplete',
    }
    const details = { reason: 'max_output_tokens' }
    const response = { status: 'incomplete', incomplete_details: details, output: [call] }
    const last = chatOf(created, ...item({ ...call, arguments: '' }, call), event('incomplete', { response })).at(-1)
    expect(last?.finish_reason).toBe('length')
  })

  it.each<[string, JsonObject]>([
    ['flat', { type: 'error', code: 'rate_limit_exceeded', message: 'Too many.' }],
    ['nested', { type: 'error', error: { code: 'rate_limit_exceeded', message: 'Too many.' } }],
    [
      'failed',
      event('failed', { response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Too many.' } } }),
    ],
  ])('[resp.event.failed:through] %s is an error of the client', (_form, failure) => {
    expect(blocksOf(created, failure).at(-1)).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Too many.' },
    })
  })

  it('[resp.event.unknown] takes events that it does not know, and [DONE]', () => {
    const odd = [{ type: 'keepalive' }, event('of_the_future', { data: 1 }), event('audio.delta', { delta: 'AAAA' })]
    expect(joined([...odd, ...hello, ...odd], 'content')).toBe('Hi there')
    expect(chatOf(created, '[DONE]', ...hello, completed()).at(-1)?.finish_reason).toBe('stop')
  })

  it('[resp.stream.end:through] [resp.stream.numbers:through] without its end is an error, whatever its numbers are', () => {
    const odd = hello.map((each) => ({ ...each, sequence_number: 5 }))
    expect(blocksOf(created, ...odd).at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
    expect(joined(odd, 'content')).toBe('Hi there')
  })
})

function blocksOf(...events: JsonObject[]): JsonObject[] {
  return eventsOf(streamFor('messages', events))
}
