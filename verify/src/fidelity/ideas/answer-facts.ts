import { fact, type Fact, type Idea, type Look } from '../fact.ts'
import type { JsonValue } from '../json.ts'
import { at, both, either, fits, has, json, contains, type Pattern } from '../look.ts'
import { answer, functionCall } from '../wire/build.ts'

export const CHOICE = 'choices.0.message'
export const PART = 'candidates.0.content.parts.*'
export const ITEM = 'output.*'
export const CONTENT = 'output.*.content.*'
export const PLAIN = (thought: JsonValue) => thought !== true
export const SIGNATURE = 'EqMBCkgIBRABGAIqQNmNV7vQ8oR2'
export const SECOND = 'ErUBCkYIAxgCIkDWwC1pYx0kq7Zd'

export const worded = (name: string, text: string): Fact =>
  fact(name, /text|content/i, {
    chat: at(`${CHOICE}.content`, contains(text)),
    messages: has('content.*', { type: 'text', text: contains(text) }),
    genai: has(PART, { text: contains(text), thought: PLAIN }),
    responses: has(CONTENT, { type: 'output_text', text: contains(text) }),
  })

export const called = (name: string, call: string, args: Pattern): Fact =>
  fact(name, /call|argument/i, {
    chat: has(`${CHOICE}.tool_calls.*`, { type: 'function', function: { name: call, arguments: json(args) } }),
    messages: has('content.*', { type: 'tool_use', name: call, input: args }),
    genai: has(PART, { functionCall: { name: call, args: (value: JsonValue) => fits(value ?? {}, args) } }),
    responses: has(ITEM, { type: 'function_call', name: call, arguments: json(args) }),
  })

export const thought = (text: string): Fact['in'] => ({
  chat: either(
    at(`${CHOICE}.reasoning`, contains(text)),
    at(`${CHOICE}.reasoning_content`, contains(text)),
    has(`${CHOICE}.reasoning_details.*`, { text: contains(text) }),
  ),
  messages: has('content.*', { type: 'thinking', thinking: contains(text) }),
  genai: has(PART, { text: contains(text), thought: true }),
  responses: either(
    has('output.*.summary.*', { text: contains(text) }),
    has(CONTENT, { type: 'reasoning_text', text: contains(text) }),
  ),
})

export const toolCalls = (...calls: readonly (readonly [id: string, name: string, args: object])[]): Idea['in'] => ({
  chat: answer.chat({
    message: {
      content: null,
      tool_calls: calls.map(([id, name, args]) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    },
    choice: { finish_reason: 'tool_calls' },
  }),
  messages: answer.messages({
    content: calls.map(([id, name, input]) => ({ type: 'tool_use', id, name, input })),
    body: { stop_reason: 'tool_use' },
  }),
  genai: answer.genai({ parts: calls.map(([id, name, args]) => ({ functionCall: { id, name, args } })) }),
  responses: answer.responses({
    output: calls.map(([id, name, args]) => functionCall(id, name, JSON.stringify(args))),
  }),
})

const CALLS: Look = either(at('choices.0.finish_reason', 'tool_calls'), at('choices.0.finish_reason', 'function_call'))
export const FINISHED = fact('that it ends with calls', /finish|stop/i, {
  chat: CALLS,
  messages: at('stop_reason', 'tool_use'),
  genai: at('candidates.0.finishReason', 'STOP'),
  responses: both(at('status', 'completed'), has('output.*', { type: 'function_call' })),
})
