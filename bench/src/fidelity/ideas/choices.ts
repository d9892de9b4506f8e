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
    },
    facts: [
      fact('the choice', /choice|mode/i, {
        chat: at('tool_choice', 'auto'),
        messages: at('tool_choice.type', 'auto'),
        genai: at(MODE, 'AUTO'),
      }),
    ],
  },
  {
    name: 'no calls',
    in: {
      chat: withTools.chat({ tool_choice: 'none' }),
      messages: withTools.messages({ tool_choice: { type: 'none' } }),
      genai: withTools.genai({ mode: 'NONE' }),
    },
    facts: [
      fact('the choice', /choice|mode/i, {
        chat: at('tool_choice', 'none'),
        messages: at('tool_choice.type', 'none'),
        genai: at(MODE, 'NONE'),
      }),
    ],
  },
  {
    name: 'some call',
    in: {
      chat: withTools.chat({ tool_choice: 'required' }),
      messages: withTools.messages({ tool_choice: { type: 'any' } }),
      genai: withTools.genai({ mode: 'ANY' }),
    },
    facts: [
      fact('the choice', /choice|mode/i, {
        chat: at('tool_choice', 'required'),
        messages: at('tool_choice.type', 'any'),
        genai: at(MODE, 'ANY'),
      }),
    ],
  },
  {
    name: 'a call of one tool',
    in: {
      chat: withTools.chat({ tool_choice: { type: 'function', function: { name: 'two' } } }),
      messages: withTools.messages({ tool_choice: { type: 'tool', name: 'two' } }),
      genai: withTools.genai({ mode: 'ANY', allowedFunctionNames: ['two'] }),
    },
    facts: [
      fact('the choice', /choice|mode/i, {
        chat: at('tool_choice', { type: 'function', function: { name: 'two' } }),
        messages: at('tool_choice', { type: 'tool', name: 'two' }),
        genai: both(at(MODE, 'ANY'), at(ALLOWED, ['two'])),
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
    },
    facts: [
      fact('that one must be called', /choice|mode/i, {
        chat: either(at('tool_choice.allowed_tools.mode', 'required'), at('tool_choice', 'required')),
        messages: at('tool_choice.type', 'any'),
        genai: at(MODE, 'ANY'),
      }),
      fact('which', /choice|names/i, {
        chat: has('tool_choice.allowed_tools.tools.*.function.name', 'one', 'two'),
        messages: 'never',
        genai: at(ALLOWED, ['one', 'two']),
      }),
    ],
  },
  {
    name: 'one call at a time',
    in: {
      chat: withTools.chat({ parallel_tool_calls: false }),
      messages: withTools.messages({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    },
    facts: [
      fact('the wish', /parallel/i, {
        chat: at('parallel_tool_calls', false),
        messages: at('tool_choice.disable_parallel_tool_use', true),
        genai: 'never',
      }),
    ],
  },
  {
    name: 'some call, one at a time',
    in: {
      chat: withTools.chat({ tool_choice: 'required', parallel_tool_calls: false }),
      messages: withTools.messages({ tool_choice: { type: 'any', disable_parallel_tool_use: true } }),
    },
    facts: [
      fact('that some call is made', /choice/i, {
        chat: at('tool_choice', 'required'),
        messages: at('tool_choice.type', 'any'),
        genai: at(MODE, 'ANY'),
      }),
      fact('one at a time', /parallel/i, {
        chat: at('parallel_tool_calls', false),
        messages: at('tool_choice.disable_parallel_tool_use', true),
        genai: 'never',
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
      }),
      fact('the tools', /tools/i, {
        chat: has('tools.*.function.name', 'one', 'two', 'three'),
        messages: has('tools.*.name', 'one', 'two', 'three'),
        genai: has('tools.*.functionDeclarations.*.name', 'one', 'two', 'three'),
      }),
    ],
  },
]
