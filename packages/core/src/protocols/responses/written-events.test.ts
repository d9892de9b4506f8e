import { describe, expect, it } from 'vitest'
import { eventsOf, streamFrom } from '../../../test/answer-responses.ts'
import { messages, responses } from '../../../test/untyped.ts'
import { DragomanError } from '../../ir/error.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'

const start = {
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'c', content: [], usage: { input_tokens: 5 } },
}
const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const textEvents = (index: number, ...pieces: string[]): JsonObject[] =>
  block(index, { type: 'text', text: '' }, ...pieces.map((text) => ({ type: 'text_delta', text })))
const end = (stop_reason: string): JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
]
const use = (name: string): JsonObject => ({ type: 'tool_use', id: 'toolu_1', name, input: {} })
const tools = [
  { type: 'function', name: 'look' },
  { type: 'custom', name: 'run' },
]

/** The events of a stream of messages blocks, without those about the whole response. */
function events(blocks: JsonObject[], stop_reason = 'end_turn'): JsonObject[] {
  return streamFrom('messages', [start, ...blocks, ...end(stop_reason)], { tools })
}
const named = (all: readonly JsonObject[], ...types: string[]): JsonObject[] =>
  all
    .filter(({ type }) => types.includes((type as string).replace('response.', '')))
    .map(({ sequence_number: _number, ...event }) => event)

describe('a stream for a client', () => {
  it('cuts the last item of an incomplete response, also if a part without an equivalent follows it', () => {
    const lost = block(1, { type: 'container_upload', file_id: 'file_1' })
    const all = events([...textEvents(0, 'Hi'), ...lost], 'max_tokens')
    expect(named(all, 'output_item.done')).toMatchObject([{ item: { type: 'message', status: 'incomplete' } }])
    expect(all.at(-1)).toMatchObject({ type: 'response.incomplete', response: { output: [{ status: 'incomplete' }] } })
  })

  it('[resp.event.created:through] begins twice, with an empty output', () => {
    const [created, progress] = events(textEvents(0, 'Hi'))
    const response = { id: 'msg_1', object: 'response', created_at: 1_700_000_000, model: 'c', status: 'in_progress' }
    expect(created).toMatchObject({ type: 'response.created', response: { ...response, output: [] } })
    expect(progress).toMatchObject({ type: 'response.in_progress', response: { ...response, output: [] } })
  })

  it('[resp.event.output_item:through] [resp.event.content_part:through] [resp.event.output_text:through] has text in this order', () => {
    const address = { item_id: 'msg_made', output_index: 0, content_index: 0 }
    const empty = { type: 'output_text', text: '', annotations: [], logprobs: [] }
    const item = { type: 'message', id: 'msg_made', role: 'assistant' }
    const part = { ...empty, text: 'Hi there' }
    expect(events(textEvents(0, 'Hi ', 'there')).slice(2, -1)).toEqual(
      [
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...address, part: empty },
        { type: 'response.output_text.delta', ...address, delta: 'Hi ', logprobs: [] },
        { type: 'response.output_text.delta', ...address, delta: 'there', logprobs: [] },
        { type: 'response.output_text.done', ...address, text: 'Hi there', logprobs: [] },
        { type: 'response.content_part.done', ...address, part },
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: { ...item, status: 'completed', content: [part], phase: 'final_answer' },
        },
      ].map((event, index) => ({ ...event, sequence_number: index + 2 })),
    )
  })

  it('[resp.event.annotation:through] has an event for each citation', () => {
    const citation = {
      type: 'web_search_result_location',
      url: 'https://a.example',
      title: 'A',
      cited_text: 'a',
      encrypted_index: 'I',
    }
    const cited = block(
      0,
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'Hi' },
      { type: 'citations_delta', citation },
    )
    expect(named(events(cited), 'output_text.annotation.added')).toEqual([
      {
        type: 'response.output_text.annotation.added',
        item_id: 'msg_made',
        output_index: 0,
        content_index: 0,
        annotation_index: 0,
        annotation: { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 },
      },
    ])
  })

  it('[resp.event.reasoning_summary:through] [resp.event.reasoning_text] has thoughts as a summary, with its seal at the end', () => {
    const thinking = block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'signature_delta', signature: 'SIG' },
    )
    const all = events([...thinking, ...textEvents(1, 'Hi')])
    const address = { item_id: 'rs_made', output_index: 0, summary_index: 0 }
    const part = { type: 'summary_text', text: 'Hm.' }
    expect(all.slice(3, 8).map(({ sequence_number: _number, ...event }) => event)).toEqual([
      { type: 'response.reasoning_summary_part.added', ...address, part: { ...part, text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...address, delta: 'Hm.' },
      { type: 'response.reasoning_summary_text.done', ...address, text: 'Hm.' },
      { type: 'response.reasoning_summary_part.done', ...address, part },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'reasoning', id: 'rs_made', summary: [part], encrypted_content: 'dg1.anthropic.self.SIG' },
      },
    ])
    expect(JSON.stringify(all)).not.toContain('reasoning_text')
  })

  it('[resp.event.function_call_arguments:through] has arguments in pieces, and whole at the end', () => {
    const json = (partial_json: string): JsonObject => ({ type: 'input_json_delta', partial_json })
    const all = events(block(0, use('look'), json('{"at"'), json(':1}')), 'tool_use')
    const address = { item_id: 'fc_made', output_index: 0 }
    const call = { type: 'function_call', id: 'fc_made', call_id: 'toolu_1', name: 'look' }
    expect(all.slice(2, -1).map(({ sequence_number: _number, ...event }) => event)).toEqual([
      { type: 'response.output_item.added', output_index: 0, item: { ...call, arguments: '', status: 'in_progress' } },
      { type: 'response.function_call_arguments.delta', ...address, delta: '{"at"' },
      { type: 'response.function_call_arguments.delta', ...address, delta: ':1}' },
      { type: 'response.function_call_arguments.done', ...address, arguments: '{"at":1}', name: 'look' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...call, arguments: '{"at":1}', status: 'completed' },
      },
    ])
  })

  it('[resp.event.custom_tool_call_input:through] has the text of a custom call, not its JSON', () => {
    const partial_json = JSON.stringify({ input: 'a "b"\n' })
    const all = events(block(0, use('run'), { type: 'input_json_delta', partial_json }), 'tool_use')
    const deltas = named(all, 'custom_tool_call_input.delta')
    expect(deltas.map(({ delta }) => delta as string).join('')).toBe('a "b"\n')
    expect(named(all, 'custom_tool_call_input.done')).toEqual([
      { type: 'response.custom_tool_call_input.done', item_id: 'ctc_made', output_index: 0, input: 'a "b"\n' },
    ])
  })

  it('[resp.event.web_search_call:through] has the steps of a search', () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'sky' } }
    const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    const all = events([...block(0, search), ...block(1, result), ...textEvents(2, 'Hi')])
    const address = { item_id: 'srvtoolu_1', output_index: 0 }
    expect(named(all, 'web_search_call.in_progress', 'web_search_call.searching', 'web_search_call.completed')).toEqual(
      [
        { type: 'response.web_search_call.in_progress', ...address },
        { type: 'response.web_search_call.searching', ...address },
        { type: 'response.web_search_call.completed', ...address },
      ],
    )
  })

  it('[resp.event.refusal:through] has a refusal as one', () => {
    const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
      choices: [{ index: 0, delta, finish_reason }],
    })
    const all = streamFrom('chat', [chunk({ role: 'assistant', refusal: 'No.' }), chunk({}, 'stop')])
    const address = { item_id: 'msg_made', output_index: 0, content_index: 0 }
    expect(named(all, 'refusal.delta', 'refusal.done')).toEqual([
      { type: 'response.refusal.delta', ...address, delta: 'No.' },
      { type: 'response.refusal.done', ...address, refusal: 'No.' },
    ])
  })

  it('[resp.event.completed:through] [resp.event.output_item:through] ends with the whole response: its items, and usage', () => {
    const json = { type: 'input_json_delta', partial_json: '{}' }
    const all = events([...textEvents(0, 'Hi'), ...block(1, use('look'), json)], 'tool_use')
    const items = named(all, 'output_item.done').map(({ item }) => item)
    expect(named(all, 'output_item.done').map(({ output_index }) => output_index)).toEqual([0, 1])
    expect(all.at(-1)).toMatchObject({
      type: 'response.completed',
      response: {
        id: 'msg_1',
        status: 'completed',
        output: items,
        usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
      },
    })
  })

  it('[resp.event.incomplete:through] ends a response that is cut inside a call with that call (trap 125)', () => {
    const piece = (partial_json: string): JsonObject => ({ type: 'input_json_delta', partial_json })
    const called = [
      ...block(0, use('look'), piece('{"a":1}')),
      ...block(1, { ...use('look'), id: 'toolu_2' }, piece('{"a')),
    ]
    const all = events(called, 'max_tokens')
    const [first, second] = [
      { status: 'completed', arguments: '{"a":1}' },
      { status: 'incomplete', arguments: '{"a' },
    ]
    expect(named(all, 'output_item.done')).toMatchObject([
      { output_index: 0, item: first },
      { output_index: 1, item: second },
    ])
    expect(all.at(-1)).toMatchObject({ type: 'response.incomplete', response: { output: [first, second] } })
    expect(named(events(called, 'tool_use'), 'output_item.done')).toMatchObject([
      { item: first },
      { item: { status: 'completed' } },
    ])
  })

  it('[resp.event.failed:through] fails with the call that was cut off (trap 125)', () => {
    const begun = block(0, use('look'), { type: 'input_json_delta', partial_json: '{"a' }).slice(0, -1)
    const all = streamFrom('messages', [start, ...begun], { tools })
    const cut = { type: 'function_call', status: 'incomplete', arguments: '{"a' }
    expect(named(all, 'output_item.done')).toMatchObject([{ output_index: 0, item: cut }])
    expect(all.slice(-2)).toMatchObject([{ type: 'error' }, { type: 'response.failed', response: { output: [cut] } }])
  })

  it('[resp.event.incomplete:through] does not call a search incomplete, which has no such status', () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } }
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    const all = events([...block(0, search), ...block(1, found)], 'max_tokens')
    expect(all.at(-1)).toMatchObject({ response: { status: 'incomplete', output: [{ status: 'completed' }] } })
  })

  it('[resp.event.incomplete:through] ends a response that is cut, with its last item (trap 125)', () => {
    const all = events(textEvents(0, 'Hi'), 'max_tokens')
    expect(all.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete' }],
      },
    })
    expect(named(all, 'output_item.done')).toMatchObject([{ item: { status: 'incomplete' } }])
  })

  it('announces each item before its events, once and under an index of its own (traps 102 and 106)', () => {
    const thinking = (index: number) =>
      block(
        index,
        { type: 'thinking', thinking: '', signature: '' },
        ...['H', 'm.'].map((each) => ({ type: 'thinking_delta', thinking: each })),
        { type: 'signature_delta', signature: `SIG${index}` },
      )
    const called = block(4, use('look'), { type: 'input_json_delta', partial_json: '{}' })
    const blocks = [...thinking(0), ...textEvents(1, 'a', 'b'), ...thinking(2), ...textEvents(3, 'c'), ...called]
    const request = responses.request.check({ model: 'm', input: 'Go.', tools, stream: true })
    let made = 0
    let written = ''
    const translation = translate(responses, messages, request, { id: () => `${++made}` })
    const stream = translation.answerStream((piece) => (written += piece))
    const frames = [start, ...blocks, ...end('tool_use')].map((each) => `data: ${JSON.stringify(each)}\n\n`)
    stream.push(new TextEncoder().encode(frames.join('')))
    stream.end()
    const about = eventsOf(written).filter(({ output_index }) => output_index !== undefined)
    const added = about.filter(({ type }) => type === 'response.output_item.added')
    expect(added.map(({ output_index, item }) => [output_index, (item as JsonObject)['type']])).toEqual([
      [0, 'reasoning'],
      [1, 'message'],
      [2, 'reasoning'],
      [3, 'message'],
      [4, 'function_call'],
    ])
    const ids = added.map(({ item }) => (item as JsonObject)['id'])
    expect(new Set(ids).size).toBe(5)
    let last = -1
    for (const { type, output_index, item_id, item } of about) {
      if (type === 'response.output_item.added') last++
      expect([output_index, item_id ?? (item as JsonObject)['id']]).toEqual([last, ids[last]])
    }
  })

  it('[resp.event.completed:through] has the cached tokens of the upstream (trap 116)', () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 3 }
    const message = { ...start.message, usage: { ...usage, output_tokens: 0 } }
    const all = streamFrom('messages', [{ ...start, message }, ...textEvents(0, 'Hi'), ...end('end_turn')])
    expect(all.at(-1)).toMatchObject({
      response: { usage: { input_tokens: 12, input_tokens_details: { cached_tokens: 7 }, output_tokens: 3 } },
    })
  })

  it('[resp.stream.numbers:through] has numbers from 0, and each event line is its type', () => {
    let text = ''
    const translation = translate(responses, messages, { model: 'm', input: 'Go.', stream: true })
    const stream = translation.answerStream((piece) => (text += piece))
    const sent = [start, ...textEvents(0, 'Hi ', 'there'), ...end('end_turn')]
    stream.push(new TextEncoder().encode(sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')))
    stream.end()
    const all = eventsOf(text)
    expect(all.map(({ sequence_number }) => sequence_number)).toEqual([...all.keys()])
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)).toEqual(all.map(({ type }) => type))
  })
})

describe('a stream that fails', () => {
  it.each<[DragomanError['kind'], string]>([
    ['rate-limit', 'rate_limit_exceeded'],
    ['budget', 'insufficient_quota'],
    ['upstream-overloaded', 'server_is_overloaded'],
    ['invalid-request', 'invalid_prompt'],
    ['upstream-error', 'server_error'],
  ])('[resp.event.failed:through] with %s says %s in both events', (kind, code) => {
    const all = failing(new DragomanError(kind, 'It failed.'))
    expect(all.slice(-2)).toMatchObject([
      { type: 'error', code, message: 'It failed.', param: null, error: { code, message: 'It failed.' } },
      { type: 'response.failed', response: { id: 'msg_1', status: 'failed', error: { code, message: 'It failed.' } } },
    ])
  })

  it.each(['context_length_exceeded', 'bio_policy', 'cyber_policy', 'usage_not_included', 'slow_down'])(
    '[resp.event.failed:through] keeps the code %s, which codex knows',
    (code) => {
      const failed = { type: 'response.failed', response: { status: 'failed', error: { code, message: 'It failed.' } } }
      const created = { type: 'response.created', response: { id: 'resp_1', output: [] } }
      expect(streamFrom('responses', [created, failed]).at(-1)).toMatchObject({ response: { error: { code } } })
    },
  )

  it('[resp.stream.end:through] without its end is an error', () => {
    const all = streamFrom('messages', [start, ...textEvents(0, 'Hi')])
    expect(all.slice(-2)).toMatchObject([{ type: 'error' }, { type: 'response.failed' }])
  })
})

function failing(error: DragomanError): JsonObject[] {
  let text = ''
  const stream = translate(responses, messages, { model: 'm', input: 'Go.', stream: true }).answerStream(
    (piece) => (text += piece),
  )
  stream.push(new TextEncoder().encode(`data: ${JSON.stringify(start)}\n\n`))
  stream.fail(error)
  return eventsOf(text)
}
