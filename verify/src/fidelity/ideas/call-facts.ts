import { fact, type Fact, type Idea } from '../fact.ts'
import { listOf, objectOf, type JsonValue } from '../json.ts'
import { fits, has, inOrder, json, pick, contains, type Pattern } from '../look.ts'
import { ask } from '../wire/build.ts'

interface Call {
  readonly id: string
  readonly name: string
  readonly args: object
  readonly result: string
}
export const FIRST: Call = { id: 'call_1', name: 'weather', args: { city: 'Paris', days: [1, 2] }, result: 'sunny' }
export const SECOND: Call = { id: 'call_2', name: 'traffic', args: { city: 'Rome' }, result: 'heavy' }

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
export const USE = 'messages.*.content.*'
export const PART = 'contents.*.parts.*'
export const ITEM = 'input.*'
/** The type of an item with a result. */
const OUTPUT = /^(function|custom_tool)_call_output$/

/** A question, calls, their results. */
export const exchange = (...calls: readonly Call[]): Idea['in'] => ({
  chat: ask.chat({
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: calls.map(({ id, name, args }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        })),
      },
      ...calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
    ],
  }),
  messages: ask.messages({
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })) },
      {
        role: 'user',
        content: calls.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result })),
      },
    ],
  }),
  genai: ask.genai({
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }] },
      { role: 'model', parts: calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })) },
      {
        role: 'user',
        parts: calls.map(({ id, name, result }) => ({ functionResponse: { id, name, response: { output: result } } })),
      },
    ],
  }),
  responses: ask.responses({
    input: [
      { role: 'user', content: 'Hello' },
      ...calls.map(({ id, name, args }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: JSON.stringify(args),
      })),
      ...calls.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
    ],
  }),
})

export const called = (name: string, call: { name?: string; args?: Pattern }): Fact =>
  fact(name, /call|argument/i, {
    chat: has('messages.*.tool_calls.*.function', {
      ...(call.name === undefined ? {} : { name: call.name }),
      ...(call.args === undefined ? {} : { arguments: json(call.args) }),
    }),
    messages: has(USE, {
      type: 'tool_use',
      ...(call.name === undefined ? {} : { name: call.name }),
      ...(call.args === undefined ? {} : { input: call.args }),
    }),
    genai: has(PART, {
      functionCall: {
        ...(call.name === undefined ? {} : { name: call.name }),
        ...(call.args === undefined ? {} : { args: (value: JsonValue) => fits(value ?? {}, call.args) }),
      },
    }),
    responses: has(ITEM, {
      type: 'function_call',
      ...(call.name === undefined ? {} : { name: call.name }),
      ...(call.args === undefined ? {} : { arguments: json(call.args) }),
    }),
  })

/** The output of a tool, in its result. */
export const answered = (name: string, text: string): Fact =>
  fact(name, /result|output|response/i, {
    chat: has('messages.*', { role: 'tool', content: contains(text) }),
    messages: has(USE, { type: 'tool_result', content: contains(text) }),
    genai: has(PART, { functionResponse: { response: contains(text) } }),
    responses: has(ITEM, { type: OUTPUT, output: contains(text) }),
  })

/** The id of a call is also the id of its result. Calls without ids are matched by order. */
export const paired = (name: string, index: number, text: string): Fact =>
  fact(name, /id|call/i, {
    chat: (body) =>
      has('messages.*', {
        role: 'tool',
        tool_call_id: pick(body, 'messages.*.tool_calls.*.id')[index],
        content: contains(text),
      })(body),
    messages: (body) => {
      const uses = pick(body, USE).filter((block) => fits(block, { type: 'tool_use' }))
      return has(USE, { type: 'tool_result', tool_use_id: objectOf(uses[index])['id'], content: contains(text) })(body)
    },
    genai: (body) => {
      const { id, name: tool } = objectOf(pick(body, `${PART}.functionCall`)[index])
      return has(PART, { functionResponse: { id, name: tool, response: contains(text) } })(body)
    },
    responses: (body) => {
      const made = pick(body, ITEM).filter((item) => fits(item, { type: 'function_call' }))
      return has(ITEM, { type: OUTPUT, call_id: objectOf(made[index])['call_id'], output: contains(text) })(body)
    },
  })

/** All results in one turn, right after the calls. Consecutive turns of one role are one turn. */
export const TOGETHER = fact('the results stand together', /moved|merged/i, {
  chat: inOrder('messages.*.role', 'tool', 'tool'),
  messages: (body) =>
    longestRun(pick(body, 'messages.*'), 'content', { type: 'tool_result' }) === 2 ? 'kept' : 'gone',
  genai: (body) => (longestRun(pick(body, 'contents.*'), 'parts', { functionResponse: {} }) === 2 ? 'kept' : 'gone'),
  responses: inOrder('input.*.type', OUTPUT, OUTPUT),
})

/** The largest number of such parts in consecutive user turns. */
function longestRun(turns: readonly JsonValue[], member: string, pattern: Pattern): number {
  let run = 0
  let longest = 0
  for (const turn of turns.map(objectOf)) {
    run = turn['role'] === 'user' ? run + listOf(turn[member]).filter((part) => fits(part, pattern)).length : 0
    longest = Math.max(longest, run)
  }
  return longest
}

export const failed = ask.messages({
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'no such city', is_error: true }],
    },
  ],
})

export const withImages = (content: readonly object[]) =>
  ask.messages({
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'camera', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content }] },
    ],
  })
