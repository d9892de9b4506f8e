import { fact, type Idea } from '../fact.ts'
import type { JsonObject } from '../json.ts'
import { at, both, either, has } from '../look.ts'
import { ask } from '../wire/build.ts'

const NAMES = ['one', 'two', 'three']
const withTools = {
  chat: (more: JsonObject) =>
    ask.chat({ tools: NAMES.map((name) => ({ type: 'function', function: { name } })), ...more }),
  messages: (more: JsonObject) =>
    ask.messages({ tools: NAMES.map((name) => ({ name, input_schema: { type: 'object', properties: {} } })), ...more }),
  genai: (config: JsonObject) =>
    ask.genai({
      tools: [{ functionDeclarations: NAMES.map((name) => ({ name })) }],
      toolConfig: { functionCallingConfig: config },
    }),
  responses: (more: JsonObject) =>
    ask.responses({
      tools: NAMES.map((name) => ({ type: 'function', name, parameters: null, strict: false })),
      ...more,
    }),
}
const MODE = 'toolConfig.functionCallingConfig.mode'
const ALLOWED = 'toolConfig.functionCallingConfig.allowedFunctionNames'

/** Tool choices. */
export const choices: readonly Idea[] = [
  {
    name: 'calls as the model likes',
    in: {
      chat: withTools.chat({ tool_choice: 'auto' }),
      messages: withTools.messages({ tool_choice: { type: 'auto' } }),
      genai: withTools.genai({ mode: 'AUTO' }),
      responses: withTools.responses({ tool_choice: 'auto' }),
    },
    facts: [
      fact('the choice', /choice|mode/i, {
        chat: at('tool_choice', 'auto'),
        messages: at('tool_choice.type', 'auto'),
        genai: at(MODE, 'AUTO'),
        responses: at('tool_choice', 'auto'),
      }),
    ],
  },
  {
    name: 'no calls',
    in: {
      chat: withTools.chat({ tool_choice: 'none' }),
      messages: withTools.messages({ tool_choice: { type: 'none' } }),
      genai: withTools.genai({ mode: 'NONE' }),
      responses: withTools.responses({ tool_choice: 'none' }),
    },
    facts: [
      fact('the choice', /choice|mode/i, {
        chat: at('tool_choice', 'none'),
        messages: at('tool_choice.type', 'none'),
        genai: at(MODE, 'NONE'),
        responses: at('tool_choice', 'none'),
      }),
    ],
  },
  {
    name: 'some call',
    in: {
      chat: withTools.chat({ tool_choice: 'required' }),
      messages: withTools.messages({ tool_choice: { type: 'any' } }),
      genai: withTools.genai({ mode: 'ANY' }),
      responses: withTools.responses({ tool_choice: 'required' }),
    },
    facts: [
      fact('the choice', /choice|mode/i, {
        chat: at('tool_choice', 'required'),
        messages: at('tool_choice.type', 'any'),
        genai: at(MODE, 'ANY'),
        responses: at('tool_choice', 'required'),
      }),
    ],
  },
  {
    name: 'a call of one tool',
    in: {
      chat: withTools.chat({ tool_choice: { type: 'function', function: { name: 'two' } } }),
      messages: withTools.messages({ tool_choice: { type: 'tool', name: 'two' } }),
      genai: withTools.genai({ mode: 'ANY', allowedFunctionNames: ['two'] }),
      responses: withTools.responses({ tool_choice: { type: 'function', name: 'two' } }),
    },
    facts: [
      fact('the choice', /choice|mode/i, {
        chat: at('tool_choice', { type: 'function', function: { name: 'two' } }),
        messages: at('tool_choice', { type: 'tool', name: 'two' }),
        genai: both(at(MODE, 'ANY'), at(ALLOWED, ['two'])),
        responses: at('tool_choice', { type: 'function', name: 'two' }),
      }),
    ],
  },
  {
    name: 'a call of one of two tools',
    in: {
      chat: withTools.chat({
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'required',
            tools: ['one', 'two'].map((name) => ({ type: 'function', function: { name } })),
          },
        },
      }),
      genai: withTools.genai({ mode: 'ANY', allowedFunctionNames: ['one', 'two'] }),
      responses: withTools.responses({
        tool_choice: {
          type: 'allowed_tools',
          mode: 'required',
          tools: ['one', 'two'].map((name) => ({ type: 'function', name })),
        },
      }),
    },
    facts: [
      fact('that one must be called', /choice|mode/i, {
        chat: either(at('tool_choice.allowed_tools.mode', 'required'), at('tool_choice', 'required')),
        messages: at('tool_choice.type', 'any'),
        genai: at(MODE, 'ANY'),
        responses: either(at('tool_choice.mode', 'required'), at('tool_choice', 'required')),
      }),
      fact('which', /choice|names/i, {
        chat: has('tool_choice.allowed_tools.tools.*.function.name', 'one', 'two'),
        messages: 'never',
        genai: at(ALLOWED, ['one', 'two']),
        responses: has('tool_choice.tools.*.name', 'one', 'two'),
      }),
    ],
  },
  {
    name: 'one call at a time',
    in: {
      chat: withTools.chat({ parallel_tool_calls: false }),
      messages: withTools.messages({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
      responses: withTools.responses({ parallel_tool_calls: false }),
    },
    facts: [
      fact('the limit', /parallel/i, {
        chat: at('parallel_tool_calls', false),
        messages: at('tool_choice.disable_parallel_tool_use', true),
        genai: 'never',
        responses: at('parallel_tool_calls', false),
      }),
    ],
  },
  {
    name: 'some call, one at a time',
    in: {
      chat: withTools.chat({ tool_choice: 'required', parallel_tool_calls: false }),
      messages: withTools.messages({ tool_choice: { type: 'any', disable_parallel_tool_use: true } }),
      responses: withTools.responses({ tool_choice: 'required', parallel_tool_calls: false }),
    },
    facts: [
      fact('that some call is made', /choice/i, {
        chat: at('tool_choice', 'required'),
        messages: at('tool_choice.type', 'any'),
        genai: at(MODE, 'ANY'),
        responses: at('tool_choice', 'required'),
      }),
      fact('one at a time', /parallel/i, {
        chat: at('parallel_tool_calls', false),
        messages: at('tool_choice.disable_parallel_tool_use', true),
        genai: 'never',
        responses: at('parallel_tool_calls', false),
      }),
    ],
  },
  {
    name: 'calls checked against their schema',
    in: { genai: withTools.genai({ mode: 'VALIDATED' }) },
    facts: [
      fact('the mode', /choice|mode|validated/i, {
        chat: 'never',
        messages: 'never',
        genai: at(MODE, 'VALIDATED'),
        responses: 'never',
      }),
      fact('the tools', /tools/i, {
        chat: has('tools.*.function.name', 'one', 'two', 'three'),
        messages: has('tools.*.name', 'one', 'two', 'three'),
        genai: has('tools.*.functionDeclarations.*.name', 'one', 'two', 'three'),
        responses: has('tools.*.name', 'one', 'two', 'three'),
      }),
    ],
  },
]
