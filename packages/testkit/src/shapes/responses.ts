import type { JsonObject } from '@dragoman/core'
import { forClashes, inOrders, many, members, SCHEMAS, type Shapes } from './shapes.ts'

const outputText = (value = 'a'): JsonObject => ({ type: 'output_text', text: value })
const text = (value = 'a'): JsonObject => ({ type: 'input_text', text: value })
const user = { type: 'message', role: 'user', content: 'a' }
const asks = (content: readonly JsonObject[]): JsonObject => ({ ...user, content })
const message = (index: number, content: readonly JsonObject[] = [outputText()]): JsonObject => ({
  type: 'message',
  id: `msg_${index}`,
  role: 'assistant',
  status: 'completed',
  content,
})
const talk = (input: readonly JsonObject[]): JsonObject => ({ model: 'm', input })
const ask = (more: JsonObject): JsonObject => ({ ...talk([user]), ...more })
const tool = (name: string, parameters: JsonObject = { type: 'object', properties: {} }): JsonObject => ({
  type: 'function',
  name,
  parameters,
})
const call = (index: number): JsonObject => ({
  type: 'function_call',
  id: `fc_${index}`,
  call_id: `call_${index}`,
  name: 'f',
  arguments: '{}',
})
const result = (index: number, output: readonly JsonObject[] = [text()]): JsonObject => ({
  type: 'function_call_output',
  call_id: `call_${index}`,
  output,
})
const summary = (value = 'hm'): JsonObject => ({ type: 'summary_text', text: value })
const thought = (index: number): JsonObject => ({
  type: 'reasoning',
  id: `rs_${index}`,
  summary: [summary()],
  encrypted_content: `s${index}`,
})
const citation = (index: number): JsonObject => ({
  type: 'url_citation',
  url: `https://example.com/${index}`,
  title: 'a',
  start_index: 0,
  end_index: 1,
})
const image = { type: 'input_image', image_url: 'data:image/png;base64,aGk=' }
const carrier = (index: number): JsonObject => ({
  type: 'reasoning',
  id: `rs_${index}`,
  summary: [],
  encrypted_content: `dg1.google.previous.s${index}`,
})
const search = (index: number): JsonObject => ({
  type: 'web_search_call',
  id: `ws_${index}`,
  status: 'completed',
  action: { type: 'search', query: 'a', sources: [{ type: 'url', url: `https://example.com/${index}` }] },
})

const answer = (output: readonly JsonObject[]): JsonObject => ({
  id: 'resp_a',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output,
  error: null,
  incomplete_details: null,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
})

const event = (type: string, more: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const streamed = (frames: readonly string[], output: readonly JsonObject[] = []): string[] => [
  event('response.created', { response: { ...answer([]), status: 'in_progress' } }),
  ...frames,
  event('response.completed', { response: answer(output) }),
]
const item = (index: number, whole: JsonObject, shell: JsonObject, frames: readonly string[]): string[] => [
  event('response.output_item.added', { output_index: index, item: { ...whole, ...shell } }),
  ...frames,
  event('response.output_item.done', { output_index: index, item: whole }),
]
const delta = (kind: string, index: number, value: string, more: JsonObject = {}): string =>
  event(`response.${kind}.delta`, { item_id: 'a', output_index: index, delta: value, ...more })
const says = (index: number, pieces: number): string[] =>
  item(
    index,
    message(index, [outputText('a'.repeat(pieces))]),
    { content: [] },
    many(pieces, () => delta('output_text', index, 'a', { content_index: 0 })),
  )

export const responsesShapes: Shapes = {
  request: {
    messages: (size) => talk(many(size, () => user)),
    'turns in alternation': (size) => talk(many(size, (index) => (index % 2 === 0 ? user : message(index)))),
    'assistant messages in a row': (size) => talk([user, ...many(size, (index) => message(index)), user]),
    instructions: (size) => talk([...many(size, () => ({ ...user, role: 'developer' })), user]),
    parts: (size) => talk([asks(many(size, () => text()))]),
    'parts of the assistant': (size) =>
      talk([
        user,
        message(
          0,
          many(size, () => outputText()),
        ),
        user,
      ]),
    images: (size) => talk([asks(many(size, () => image))]),
    'unknown parts': (size) => talk([asks(many(size, () => ({ type: 'x_new' })))]),
    'unknown items': (size) => talk([user, ...many(size, () => ({ type: 'x_new' })), user]),
    'cache marks': (size) =>
      talk([asks(many(size, () => ({ ...text(), prompt_cache_breakpoint: { mode: 'explicit' } })))]),
    tools: (size) => ask({ tools: many(size, (index) => tool(`f${index}`)) }),
    'tools of a namespace': (size) =>
      ask({ tools: [{ type: 'namespace', name: 'n', tools: many(size, (index) => tool(`f${index}`)) }] }),
    namespaces: (size) =>
      ask({ tools: many(size, (index) => ({ type: 'namespace', name: `n${index}`, tools: [tool('f')] })) }),
    'tools in the middle': (size) =>
      talk(
        many(size, (index) => [
          user,
          { type: 'additional_tools', role: 'developer', tools: [tool(`f${index}`)] },
          message(index),
        ]).flat(),
      ),
    ...forClashes((size, name) => ask({ tools: many(size, (index) => tool(name(index))) })),
    'unknown members': (size) => ask(members(size)),
    'unknown members of a message': (size) => talk([{ ...user, ...members(size) }]),
    'messages with an unknown member': (size) => talk(many(size, (index) => ({ ...user, [`x_${index}`]: 1 }))),
    'unknown members of a tool': (size) => ask({ tools: [{ ...tool('f'), ...members(size) }] }),
    'unknown members of a part': (size) => talk([asks([{ ...text(), ...members(size) }])]),
    'unknown members of settings': (size) => ask({ text: members(size), reasoning: members(size) }),
    ...inOrders('calls with results', (size, order) =>
      talk([user, ...many(size, call), ...order(many(size, (index) => result(index)))]),
    ),
    'calls one by one': (size) => talk([user, ...many(size, (index) => [call(index), result(index)]).flat()]),
    'parts of a result': (size) =>
      talk([
        user,
        call(0),
        result(
          0,
          many(size, () => text()),
        ),
      ]),
    'images of results': (size) => talk([user, ...many(size, call), ...many(size, (index) => result(index, [image]))]),
    thoughts: (size) => talk([user, ...many(size, thought), message(0), user]),
    'texts of a thought': (size) =>
      talk([user, { ...thought(0), summary: many(size, () => summary()) }, message(0), user]),
    'carried seals': (size) => talk([user, ...many(size, (index) => [message(index), carrier(index)]).flat(), user]),
    citations: (size) => talk([user, message(0, [{ ...outputText(), annotations: many(size, citation) }]), user]),
    'searches of the upstream': (size) => talk([user, ...many(size, search), user]),
    ...Object.fromEntries(
      Object.entries(SCHEMAS).map(([what, schema]) => [
        `${what} of a tool`,
        (size: number) => ask({ tools: [tool('f', schema(size))] }),
      ]),
    ),
  },
  response: {
    items: (size) => answer(many(size, (index) => message(index))),
    parts: (size) =>
      answer([
        message(
          0,
          many(size, () => outputText()),
        ),
      ]),
    thoughts: (size) => answer(many(size, thought)),
    'thoughts among parts': (size) =>
      answer(many(size, (index) => (index % 2 === 0 ? thought(index) : message(index)))),
    calls: (size) => answer(many(size, call)),
    citations: (size) => answer([message(0, [{ ...outputText(), annotations: many(size, citation) }])]),
    tokens: (size) =>
      answer([
        message(0, [{ ...outputText('a'.repeat(size)), logprobs: many(size, () => ({ token: 'a', logprob: 0 })) }]),
      ]),
    'unknown members': (size) => ({ ...answer([message(0)]), ...members(size) }),
    'unknown members of a part': (size) => answer([message(0, [{ ...outputText(), ...members(size) }])]),
    searches: (size) => answer(many(size, search)),
  },
  stream: {
    deltas: (size) => streamed(says(0, size)),
    items: (size) => streamed(many(size, (index) => says(index, 1)).flat()),
    'items at the end only': (size) =>
      streamed(
        [],
        many(size, (index) => message(index)),
      ),
    'items at once': (size) =>
      streamed([
        ...many(size, (index) =>
          event('response.output_item.added', { output_index: index, item: { ...message(index), content: [] } }),
        ),
        ...many(size, (index) => delta('output_text', index, 'a', { content_index: 0 })),
        ...many(size, (index) => event('response.output_item.done', { output_index: index, item: message(index) })),
      ]),
    thoughts: (size) =>
      streamed(
        many(size, (index) =>
          item(index, thought(index), { summary: [] }, [
            delta('reasoning_summary_text', index, 'hm', { summary_index: 0 }),
          ]),
        ).flat(),
      ),
    'pieces of a call': (size) =>
      streamed(
        item(
          0,
          { ...call(0), arguments: `[${'0,'.repeat(size)}0]` },
          { arguments: '' },
          many(size, () => delta('function_call_arguments', 0, '0,')),
        ),
      ),
    calls: (size) =>
      streamed(
        many(size, (index) =>
          item(index, call(index), { arguments: '' }, [delta('function_call_arguments', index, '{}')]),
        ).flat(),
      ),
    citations: (size) =>
      streamed(
        item(0, message(0, [{ ...outputText(), annotations: many(size, citation) }]), { content: [] }, [
          delta('output_text', 0, 'a', { content_index: 0 }),
        ]),
      ),
    'keep-alives': (size) => streamed(many(size, () => event('keepalive', {}))),
  },
}
