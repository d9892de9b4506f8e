import type { Json, JsonObject } from '@dragoman/core'
import { forClashes, inOrders, many, members, SCHEMAS, type Shapes } from './shapes.ts'

const user = { role: 'user', content: 'hello' }
const talk = (messages: readonly JsonObject[]): JsonObject => ({ model: 'm', messages })
const ask = (more: JsonObject): JsonObject => ({ ...talk([user]), ...more })
const tool = (name: string, parameters: JsonObject = { type: 'object', properties: {} }): JsonObject => ({
  type: 'function',
  function: { name, parameters },
})
const call = (index: number, name = 'f'): JsonObject => ({
  id: `call_${index}`,
  type: 'function',
  function: { name, arguments: '{}' },
})
const result = (index: number, content: Json = 'done'): JsonObject => ({
  role: 'tool',
  tool_call_id: `call_${index}`,
  content,
})
const assistant = (more: JsonObject): JsonObject => ({ role: 'assistant', content: null, ...more })
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
const thought = (index: number): JsonObject => ({ type: 'reasoning.text', text: 'hm', signature: `s${index}`, index })
const annotation = (index: number): JsonObject => ({
  type: 'url_citation',
  url_citation: { url: `https://example.com/${index}`, start_index: 0, end_index: 1 },
})
const token = { token: 'a', logprob: -1, bytes: [97], top_logprobs: [{ token: 'a', logprob: -1, bytes: null }] }

const answer = (message: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello', ...message }, finish_reason: 'stop', ...more }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

const chunk = (members: JsonObject): string =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', ...members })}\n\n`
const chunkOf = (delta: JsonObject, more: JsonObject = {}): string =>
  chunk({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })
const END = [chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }), 'data: [DONE]\n\n']
const streamed = (frames: readonly string[]): string[] => [
  chunkOf({ role: 'assistant', content: '' }),
  ...frames,
  ...END,
]
const argumentsDelta = (index: number, text: string): string =>
  chunkOf({ tool_calls: [{ index, function: { arguments: text } }] })
const opened = (index: number): string =>
  chunkOf({ tool_calls: [{ index, ...call(index), function: { name: 'f', arguments: '' } }] })

export const chatShapes: Shapes = {
  request: {
    messages: (size) => talk(many(size, () => user)),
    'turns in alternation': (size) =>
      talk(many(size, (index) => (index % 2 === 0 ? user : assistant({ content: 'hi' })))),
    'assistant messages in a row': (size) => talk([user, ...many(size, () => assistant({ content: 'hi' })), user]),
    instructions: (size) => talk([...many(size, () => ({ role: 'system', content: 'be good' })), user]),
    'instructions in the middle': (size) =>
      talk([user, ...many(size, () => ({ role: 'developer', content: 'be good' })), user]),
    'instructions between results': (size) =>
      talk([
        user,
        assistant({ tool_calls: many(size, (index) => call(index)) }),
        ...many(size, (index) => [{ role: 'developer', content: 'be good' }, result(index)]).flat(),
      ]),
    parts: (size) => talk([{ role: 'user', content: many(size, () => ({ type: 'text', text: 'a' })) }]),
    images: (size) => talk([{ role: 'user', content: many(size, () => image) }]),
    'unknown parts': (size) => talk([{ role: 'user', content: many(size, () => ({ type: 'x_new' })) }]),
    'cache marks': (size) =>
      talk([
        {
          role: 'user',
          content: many(size, () => ({ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } })),
        },
      ]),
    names: (size) => talk(many(size, (index) => ({ ...user, name: `n${index}` }))),
    tools: (size) => ask({ tools: many(size, (index) => tool(`f${index}`)) }),
    ...forClashes((size, name) => ask({ tools: many(size, (index) => tool(name(index))) })),
    'clashing names of calls': (size) =>
      talk([
        user,
        assistant({
          tool_calls: many(size, (index) =>
            call(index, `f.${'.'.repeat(index % 100)}${String.fromCodePoint(0x4e00 + (index >> 4))}`),
          ),
        }),
      ]),
    'allowed tools': (size) =>
      ask({
        tools: many(size, (index) => tool(`f${index}`)),
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'auto',
            tools: many(size, (index) => ({ type: 'function', function: { name: `f${index}` } })),
          },
        },
      }),
    'unknown members': (size) => ask(members(size)),
    'unknown members of a message': (size) => talk([{ ...user, ...members(size) }]),
    'messages with an unknown member': (size) => talk(many(size, (index) => ({ ...user, [`x_${index}`]: 1 }))),
    'unknown members of a tool': (size) => ask({ tools: [{ ...tool('f'), ...members(size) }] }),
    'unknown members of a part': (size) =>
      talk([{ role: 'user', content: [{ type: 'text', text: 'a', ...members(size) }] }]),
    'unknown members of settings': (size) =>
      ask({ stream: true, stream_options: members(size), reasoning: members(size) }),
    'unknown members inside unknown members': (size) => ask({ x_all: members(size, () => ({ x_a: { x_b: 1 } })) }),
    'biased tokens': (size) => ask({ logit_bias: members(size, () => 1) }),
    ...inOrders('calls with results', (size, order) =>
      talk([
        user,
        assistant({ tool_calls: many(size, (index) => call(index)) }),
        ...order(many(size, (index) => result(index))),
      ]),
    ),
    'calls one by one': (size) =>
      talk([user, ...many(size, (index) => [assistant({ tool_calls: [call(index)] }), result(index)]).flat()]),
    'calls in a row of messages': (size) =>
      talk([
        user,
        ...many(size, (index) => assistant({ tool_calls: [call(index)] })),
        ...many(size, (index) => result(index)),
      ]),
    'parts of a result': (size) =>
      talk([
        user,
        assistant({ tool_calls: [call(0)] }),
        result(
          0,
          many(size, () => ({ type: 'text', text: 'a' })),
        ),
      ]),
    'text between results': (size) =>
      talk([
        user,
        assistant({ tool_calls: many(size, (index) => call(index)) }),
        ...many(size, (index) => [result(index), user]).flat(),
      ]),
    thoughts: (size) =>
      talk([
        user,
        assistant({
          content: many(size, () => ({ type: 'text', text: 'a' })),
          reasoning_details: many(size, (index) => ({ ...thought(index), index: index * 2 })),
        }),
        user,
      ]),
    'thoughts in members of a client': (size) =>
      talk([
        user,
        assistant({ content: 'a', provider_specific_fields: { reasoning_details: many(size, thought) } }),
        user,
      ]),
    'thinking blocks of a client': (size) => {
      const blocks = many(size, () => ({ type: 'thinking', thinking: 'a', signature: 'sig' }))
      return talk([user, assistant({ content: 'a', thinking_blocks: blocks }), user])
    },
    'signatures of calls by id': (size) =>
      talk([
        user,
        assistant({
          tool_calls: many(size, (index) => call(index)),
          additional_kwargs: {
            __gemini_function_call_thought_signatures__: Object.fromEntries(
              many(size, (index) => [`call_${index}`, 'c2ln']),
            ),
          },
        }),
        ...many(size, (index) => result(index)),
      ]),
    annotations: (size) => talk([user, assistant({ content: 'hello', annotations: many(size, annotation) }), user]),
    ...Object.fromEntries(
      Object.entries(SCHEMAS).map(([what, schema]) => [
        `${what} of a tool`,
        (size: number) => ask({ tools: [tool('f', schema(size))] }),
      ]),
    ),
  },
  response: {
    text: (size) => answer({ content: 'é'.repeat(size) }),
    parts: (size) => answer({ content: many(size, () => ({ type: 'text', text: 'a' })) }),
    thoughts: (size) => answer({ reasoning_details: many(size, thought) }),
    'thoughts among parts': (size) =>
      answer({
        content: many(size, () => ({ type: 'text', text: 'a' })),
        reasoning_details: many(size, (index) => ({ ...thought(index), index: index * 2 })),
      }),
    calls: (size) => answer({ tool_calls: many(size, (index) => call(index)) }),
    annotations: (size) => answer({ annotations: many(size, annotation) }),
    'scored tokens': (size) => answer({}, { logprobs: { content: many(size, () => token) } }),
    candidates: (size) => ({
      ...answer({}),
      choices: many(size, (index) => ({ index, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' })),
    }),
    'unknown members': (size) => ({ ...answer({}), ...members(size) }),
    'unknown members of a message': (size) => answer(members(size)),
    'unknown members of usage': (size) => ({
      ...answer({}),
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, ...members(size) },
    }),
    sources: (size) => ({ ...answer({}), citations: many(size, (index) => `https://example.com/${index}`) }),
  },
  stream: {
    deltas: (size) => streamed(many(size, () => chunkOf({ content: 'a' }))),
    'deltas between tags': (size) =>
      streamed([chunkOf({ content: '<think>' }), ...many(size, () => chunkOf({ content: '<a' }))]),
    'blank deltas behind tags': (size) =>
      streamed([chunkOf({ content: '<think></think>' }), ...many(size, () => chunkOf({ content: ' \n' }))]),
    'deltas that differ': (size) => streamed(many(size, (index) => chunkOf({ content: 'a' }, { x_place: index }))),
    'reasoning deltas': (size) => streamed(many(size, () => chunkOf({ reasoning: 'a' }))),
    blocks: (size) => streamed(many(size, (index) => chunkOf(index % 2 === 0 ? { content: 'a' } : { reasoning: 'b' }))),
    thoughts: (size) => streamed(many(size, (index) => chunkOf({ reasoning_details: [thought(index)] }))),
    'pieces of a call': (size) =>
      streamed([
        opened(0),
        argumentsDelta(0, '{"a":['),
        ...many(size, () => argumentsDelta(0, '{},')),
        argumentsDelta(0, '0]}'),
      ]),
    'pieces of a call before another': (size) =>
      streamed([
        opened(0),
        opened(1),
        argumentsDelta(0, '{"a":{}'),
        ...many(size, (index) => argumentsDelta(0, `,"${index}":{}`)),
        argumentsDelta(0, '}'),
        argumentsDelta(1, '{}'),
      ]),
    calls: (size) => streamed(many(size, (index) => opened(index) + argumentsDelta(index, '{}'))),
    'calls without numbers': (size) => streamed(many(size, (index) => chunkOf({ tool_calls: [call(index)] }))),
    'calls that grow in turn': (size) =>
      streamed([
        ...many(size, opened),
        ...many(size, (index) => argumentsDelta(index, '{')),
        ...many(size, (index) => argumentsDelta(index, '}')),
      ]),
    annotations: (size) =>
      streamed([
        chunkOf({ content: 'hello' }),
        ...many(size, (index) => chunkOf({ annotations: [annotation(index)] })),
      ]),
    'annotations of many texts': (size) =>
      streamed(
        many(
          size,
          (index) =>
            chunkOf({ content: 'a' }) + chunkOf({ annotations: [annotation(index)] }) + chunkOf({ reasoning: 'b' }),
        ),
      ),
    'unknown annotations': (size) =>
      streamed([
        chunkOf({ content: 'hello' }),
        ...many(size, (index) => chunkOf({ annotations: [{ type: 'x_new', x_place: index }] })),
      ]),
    'scored tokens': (size) =>
      streamed(many(size, () => chunkOf({ content: 'a' }, { logprobs: { content: [token] } }))),
    'scored tokens at once': (size) =>
      streamed([chunkOf({ content: 'a' }, { logprobs: { content: many(size, () => token) } })]),
    'new members of chunks': (size) => streamed(many(size, (index) => chunk({ choices: [], [`x_${index}`]: index }))),
    'new members of choices': (size) => streamed(many(size, (index) => chunkOf({}, { [`x_${index}`]: index }))),
    'new members of deltas': (size) => streamed(many(size, (index) => chunkOf({ [`x_${index}`]: index }))),
    'new members of usage': (size) =>
      streamed(many(size, (index) => chunk({ choices: [], usage: { prompt_tokens: 1, [`x_${index}`]: index } }))),
  },
}
