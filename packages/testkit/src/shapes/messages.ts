import type { JsonObject } from '@dragoman/core'
import { forClashes, inOrders, many, members, SCHEMAS, type Shapes } from './shapes.ts'

const text = (value = 'a'): JsonObject => ({ type: 'text', text: value })
const turn = (role: 'user' | 'assistant', content: readonly JsonObject[]): JsonObject => ({ role, content })
const user = turn('user', [text()])
const talk = (messages: readonly JsonObject[]): JsonObject => ({ model: 'm', max_tokens: 5000, messages })
const ask = (more: JsonObject): JsonObject => ({ ...talk([user]), ...more })
const tool = (name: string, input_schema: JsonObject = { type: 'object', properties: {} }): JsonObject => ({
  name,
  input_schema,
})
const call = (index: number, name = 'f'): JsonObject => ({ type: 'tool_use', id: `call_${index}`, name, input: {} })
const result = (index: number, content: readonly JsonObject[]): JsonObject => ({
  type: 'tool_result',
  tool_use_id: `call_${index}`,
  content,
})
const thought = (index: number): JsonObject => ({ type: 'thinking', thinking: 'hm', signature: `s${index}` })
const citation = (index: number): JsonObject => ({
  type: 'web_search_result_location',
  cited_text: 'a',
  url: `https://example.com/${index}`,
  title: 'a',
  encrypted_index: 'e',
})
const hit = (index: number): JsonObject => ({
  type: 'web_search_result',
  url: `https://example.com/${index}`,
  title: 'a',
  encrypted_content: 'e',
})
const MARK = { cache_control: { type: 'ephemeral' } }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }

const answer = (content: readonly JsonObject[]): JsonObject => ({
  id: 'a',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})

const event = (type: string, members: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
const streamed = (frames: readonly string[]): string[] => [
  event('message_start', { message: { ...answer([]), stop_reason: null } }),
  ...frames,
  event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } }),
  event('message_stop', {}),
]
const delta = (change: JsonObject): string => event('content_block_delta', { index: 0, delta: change })
const block = (content_block: JsonObject, frames: readonly string[]): string[] => [
  event('content_block_start', { index: 0, content_block }),
  ...frames,
  event('content_block_stop', { index: 0 }),
]
const says = (value = 'a'): string => delta({ type: 'text_delta', text: value })
const cites = (value: JsonObject): string => delta({ type: 'citations_delta', citation: value })

export const messagesShapes: Shapes = {
  request: {
    messages: (size) => talk(many(size, () => user)),
    'turns in alternation': (size) =>
      talk(many(size, (index) => turn(index % 2 === 0 ? 'user' : 'assistant', [text()]))),
    'assistant messages in a row': (size) => talk([user, ...many(size, () => turn('assistant', [text()])), user]),
    instructions: (size) => ask({ system: many(size, () => text()) }),
    parts: (size) =>
      talk([
        turn(
          'user',
          many(size, () => text()),
        ),
      ]),
    'parts of the assistant': (size) =>
      talk([
        user,
        turn(
          'assistant',
          many(size, () => text()),
        ),
        user,
      ]),
    images: (size) =>
      talk([
        turn(
          'user',
          many(size, () => image),
        ),
      ]),
    'unknown parts': (size) =>
      talk([
        turn(
          'user',
          many(size, () => ({ type: 'x_new' })),
        ),
      ]),
    'cache marks': (size) =>
      talk([
        turn(
          'user',
          many(size, () => ({ ...text(), ...MARK })),
        ),
      ]),
    'search results': (size) =>
      talk([
        turn(
          'user',
          many(size, () => ({ type: 'search_result', source: 'a', title: 'a', content: [text()] })),
        ),
      ]),
    'pieces of a document': (size) =>
      talk([turn('user', [{ type: 'document', source: { type: 'content', content: many(size, () => text()) } }])]),
    'stop sequences': (size) => ask({ stop_sequences: many(size, (index) => `${index}`) }),
    'blank stop sequences': (size) => ask({ stop_sequences: many(size, () => ' ') }),
    tools: (size) => ask({ tools: many(size, (index) => tool(`f${index}`)) }),
    ...forClashes((size, name) => ask({ tools: many(size, (index) => tool(name(index))) })),
    'unknown members': (size) => ask(members(size)),
    'unknown members of a message': (size) => talk([{ ...user, ...members(size) }]),
    'messages with an unknown member': (size) => talk(many(size, (index) => ({ ...user, [`x_${index}`]: 1 }))),
    'unknown members of a tool': (size) => ask({ tools: [{ ...tool('f'), ...members(size) }] }),
    'unknown members of a part': (size) => talk([turn('user', [{ ...text(), ...members(size) }])]),
    'unknown members of settings': (size) =>
      ask({ metadata: members(size), thinking: { type: 'adaptive', ...members(size) } }),
    ...inOrders('calls with results', (size, order) =>
      talk([
        user,
        turn(
          'assistant',
          many(size, (index) => call(index)),
        ),
        turn('user', order(many(size, (index) => result(index, [text()])))),
      ]),
    ),
    'calls one by one': (size) =>
      talk([
        user,
        ...many(size, (index) => [turn('assistant', [call(index)]), turn('user', [result(index, [text()])])]).flat(),
      ]),
    'calls in a row of messages': (size) =>
      talk([
        user,
        ...many(size, (index) => turn('assistant', [call(index)])),
        turn(
          'user',
          many(size, (index) => result(index, [text()])),
        ),
      ]),
    'results in a row of messages': (size) =>
      talk([
        user,
        turn(
          'assistant',
          many(size, (index) => call(index)),
        ),
        ...many(size, (index) => turn('user', [result(index, [text()])])),
      ]),
    'parts of a result': (size) =>
      talk([
        user,
        turn('assistant', [call(0)]),
        turn('user', [
          result(
            0,
            many(size, () => text()),
          ),
        ]),
      ]),
    'images of results': (size) =>
      talk([
        user,
        turn(
          'assistant',
          many(size, (index) => call(index)),
        ),
        turn('user', many(size, (index) => [result(index, [image]), text()]).flat()),
      ]),
    'text between results': (size) =>
      talk([
        user,
        turn(
          'assistant',
          many(size, (index) => call(index)),
        ),
        turn('user', many(size, (index) => [result(index, [text()]), text()]).flat()),
      ]),
    thoughts: (size) => talk([user, turn('assistant', [...many(size, thought), text()]), user]),
    'carried seals': (size) =>
      talk([
        user,
        turn(
          'assistant',
          many(size, (index) => [text(), { type: 'redacted_thinking', data: `dg1.google.previous.s${index}` }]).flat(),
        ),
        user,
      ]),
    citations: (size) => talk([user, turn('assistant', [{ ...text(), citations: many(size, citation) }]), user]),
    'searches of the upstream': (size) =>
      talk([
        user,
        turn(
          'assistant',
          many(size, (index) => [
            { type: 'server_tool_use', id: `s_${index}`, name: 'web_search', input: {} },
            { type: 'web_search_tool_result', tool_use_id: `s_${index}`, content: [hit(index)] },
          ]).flat(),
        ),
        user,
      ]),
    ...Object.fromEntries(
      Object.entries(SCHEMAS).map(([what, schema]) => [
        `${what} of a tool`,
        (size: number) => ask({ tools: [tool('f', schema(size))] }),
      ]),
    ),
  },
  response: {
    parts: (size) => answer(many(size, () => text())),
    thoughts: (size) => answer(many(size, thought)),
    'thoughts among parts': (size) => answer(many(size, (index) => (index % 2 === 0 ? thought(index) : text()))),
    calls: (size) => answer(many(size, (index) => call(index))),
    citations: (size) => answer([{ ...text(), citations: many(size, citation) }]),
    'cited texts': (size) => answer(many(size, (index) => ({ ...text('é'), citations: [citation(index)] }))),
    'unknown members': (size) => ({ ...answer([text()]), ...members(size) }),
    'unknown members of a part': (size) => answer([{ ...text(), ...members(size) }]),
    'search results': (size) =>
      answer([
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 's', content: many(size, hit) },
      ]),
  },
  stream: {
    deltas: (size) =>
      streamed(
        block(
          text(''),
          many(size, () => says()),
        ),
      ),
    'deltas that differ': (size) =>
      streamed(
        block(
          text(''),
          many(size, (index) =>
            event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'a' }, x_place: index }),
          ),
        ),
      ),
    blocks: (size) => streamed(many(size, () => block(text(''), [says()])).flat()),
    thoughts: (size) =>
      streamed(
        many(size, (index) =>
          block({ type: 'thinking', thinking: '', signature: '' }, [
            delta({ type: 'thinking_delta', thinking: 'a' }),
            delta({ type: 'signature_delta', signature: `s${index}` }),
          ]),
        ).flat(),
      ),
    'pieces of a call': (size) =>
      streamed(
        block({ ...call(0), input: {} }, [
          delta({ type: 'input_json_delta', partial_json: '{"a":[' }),
          ...many(size, () => delta({ type: 'input_json_delta', partial_json: '{},' })),
          delta({ type: 'input_json_delta', partial_json: '0]}' }),
        ]),
      ),
    calls: (size) =>
      streamed(
        many(size, (index) =>
          block({ ...call(index), input: {} }, [delta({ type: 'input_json_delta', partial_json: '{}' })]),
        ).flat(),
      ),
    citations: (size) => streamed(block(text(''), [says(), ...many(size, (index) => cites(citation(index)))])),
    'citations between deltas': (size) =>
      streamed(block(text(''), many(size, (index) => [says('é'), cites(citation(index))]).flat())),
    'cited texts': (size) =>
      streamed(many(size, (index) => block(text(''), [says('é'), cites(citation(index))])).flat()),
    'unknown citations': (size) =>
      streamed(block(text(''), [says(), ...many(size, (index) => cites({ type: 'x_new', x_place: index }))])),
    'new members of an ending': (size) =>
      streamed(
        many(size, (index) =>
          event('message_delta', { delta: {}, usage: { output_tokens: 1, [`x_${index}`]: 1 }, [`x_${index}`]: index }),
        ),
      ),
    pings: (size) => streamed(many(size, () => event('ping', {}))),
  },
}
