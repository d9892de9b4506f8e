import { describe, expect, it } from 'vitest'
import { eventsOf, streamFor } from '../../../test/answer-responses.ts'
import type { JsonObject } from '../../lib/json.ts'
import { relay } from './relay.ts'

// Real streams skip numbers of `output_index`: the output of the whole response has no such gaps.
const event = (type: string, members: JsonObject = {}): JsonObject => ({ type: `response.${type}`, ...members })
const created = event('created', { response: { id: 'resp_1', created_at: 1, model: 'gpt', output: [] } })
const completed = (...output: JsonObject[]): JsonObject =>
  event('completed', {
    response: { id: 'resp_1', status: 'completed', output, usage: { input_tokens: 1, output_tokens: 1 } },
  })

const message = (id: string | undefined, ...words: string[]): JsonObject => ({
  type: 'message',
  ...(id === undefined ? {} : { id }),
  role: 'assistant',
  content: words.map((text) => ({ type: 'output_text', text, annotations: [] })),
})
const search = (id: string): JsonObject => ({
  type: 'web_search_call',
  id,
  status: 'completed',
  action: { type: 'search', query: 'q' },
})

/** The events of a message at an index. The ids are those of its start, its deltas and its end. */
function messageEvents(output_index: number, words: string, ids: readonly (string | undefined)[]): JsonObject[] {
  const [first, inside, last] = ids
  const at = { output_index, content_index: 0, ...(inside === undefined ? {} : { item_id: inside }) }
  return [
    event('output_item.added', { output_index, item: message(first) }),
    event('content_part.added', { ...at, part: { type: 'output_text', text: '', annotations: [] } }),
    event('output_text.delta', { ...at, delta: words.slice(0, 2) }),
    event('output_text.delta', { ...at, delta: words.slice(2) }),
    event('output_item.done', { output_index, item: message(last, words) }),
  ]
}
const named = (id: string): readonly string[] => [id, id, id]

/** The text that a chat client gets. */
function textOf(...events: JsonObject[]): string {
  return eventsOf(streamFor('chat', [created, ...events]))
    .flatMap(({ choices }) => choices as { readonly delta: { readonly content?: string } }[])
    .map(({ delta }) => delta.content ?? '')
    .join('')
}

describe('the items of a stream of Responses', () => {
  it.each([1, 2, 7])('are not repeated at its end if the first has the index %i', (index) => {
    expect(textOf(...messageEvents(index, 'Hello.', named('msg_a')), completed(message('msg_a', 'Hello.')))).toBe(
      'Hello.',
    )
  })

  it('are not repeated if an index is skipped between them', () => {
    const events = [...messageEvents(0, 'One. ', named('msg_a')), ...messageEvents(2, 'Two.', named('msg_b'))]
    const output = [message('msg_a', 'One. '), message('msg_b', 'Two.')]
    expect(textOf(...events, completed(...output))).toBe('One. Two.')
  })

  it('are not repeated without ids', () => {
    const events = [...messageEvents(1, 'One. ', []), ...messageEvents(3, 'Two.', [])]
    expect(textOf(...events, completed(message(undefined, 'One. '), message(undefined, 'Two.')))).toBe('One. Two.')
  })

  it('are not repeated if every event has another id', () => {
    const events = [...messageEvents(0, 'One. ', ['a', 'b', 'c']), ...messageEvents(1, 'Two.', ['d', 'e', 'f'])]
    expect(textOf(...events, completed(message('g', 'One. '), message('h', 'Two.')))).toBe('One. Two.')
  })

  it('are all there if they have the same index', () => {
    const events = [...messageEvents(0, 'One. ', named('msg_a')), ...messageEvents(0, 'Two.', named('msg_b'))]
    const output = [message('msg_a', 'One. '), message('msg_b', 'Two.')]
    expect(textOf(...events, completed(...output))).toBe('One. Two.')
    expect(textOf(...events, completed())).toBe('One. Two.')
  })

  it('are told apart by their ids where they are interleaved under one index', () => {
    const [a0, a1, a2, a3, a4] = messageEvents(0, 'One. ', named('msg_a')) as [
      JsonObject,
      JsonObject,
      JsonObject,
      JsonObject,
      JsonObject,
    ]
    const [b0, b1, b2, b3, b4] = messageEvents(0, 'Two.', named('msg_b')) as [
      JsonObject,
      JsonObject,
      JsonObject,
      JsonObject,
      JsonObject,
    ]
    const output = [message('msg_a', 'One. '), message('msg_b', 'Two.')]
    expect(textOf(a0, a1, b0, b1, a2, b2, a3, b3, a4, b4, completed(...output))).toBe('One. Two.')
  })

  it('are all read if they have one id', () => {
    const calls = ['now', 'later'].flatMap((name, output_index) => {
      const call = { type: 'function_call', id: 'fc', call_id: `call_${name}`, name, arguments: '{"a":1}' }
      return [
        event('output_item.added', { output_index, item: { ...call, arguments: '' } }),
        event('output_item.done', { output_index, item: call }),
      ]
    })
    const starts = eventsOf(streamFor('messages', [created, ...calls, completed()])).filter(
      ({ type }) => type === 'content_block_delta',
    )
    expect(starts).toMatchObject([{ delta: { partial_json: '{"a":1}' } }, { delta: { partial_json: '{"a":1}' } }])
  })

  it('that only the end has are added, also behind a gap', () => {
    const output = [message('msg_a', 'One. '), message('msg_b', 'Two. '), message('msg_c', 'Three.')]
    const events = [...messageEvents(0, 'One. ', named('msg_a')), ...messageEvents(2, 'Two. ', named('msg_b'))]
    expect(textOf(...events, completed(...output))).toBe('One. Two. Three.')
  })
})

describe('the searches of a stream of Responses', () => {
  const done = (output_index: number, item: JsonObject): JsonObject => event('output_item.done', { output_index, item })
  const EVENTS = [
    created,
    done(1, search('ws_a')),
    done(3, search('ws_b')),
    ...messageEvents(5, 'Found.', named('msg_a')),
  ]
  const END = completed(search('ws_a'), search('ws_b'), message('msg_a', 'Found.'))

  it('are counted once, with gaps in their indexes', () => {
    const [last] = eventsOf(streamFor('messages', [...EVENTS, END])).filter(({ type }) => type === 'message_delta')
    expect(last).toMatchObject({ usage: { server_tool_use: { web_search_requests: 2 } } })
  })

  it('are counted once in a relayed stream', () => {
    const tap = relay.tap({ stream: true, usage: true })
    for (const each of [...EVENTS, END])
      tap.push(new TextEncoder().encode(`event: ${each['type'] as string}\ndata: ${JSON.stringify(each)}\n\n`))
    expect(tap.end().usage).toMatchObject({ searches: 2 })
  })
})
