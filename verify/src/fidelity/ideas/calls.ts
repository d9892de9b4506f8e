import { fact, type Idea } from '../fact.ts'
import type { JsonValue } from '../json.ts'
import { counts, has, inOrder, contains } from '../look.ts'
import { ask, assistant } from '../wire/build.ts'
import { FIRST, SECOND, USE, PART, ITEM, exchange, called, answered, paired, TOGETHER } from './call-facts.ts'

/** Tool calls and their results. */
export const calls: readonly Idea[] = [
  {
    name: 'a call and its result',
    in: exchange(FIRST),
    facts: [
      called('the name of the tool', { name: 'weather' }),
      called('the arguments', { args: FIRST.args }),
      fact('the id of the call', /id/i, {
        chat: has('messages.*.tool_calls.*.id', 'call_1'),
        messages: has(USE, { type: 'tool_use', id: 'call_1' }),
        genai: has(PART, { functionCall: { id: 'call_1' } }),
        responses: has(ITEM, { type: 'function_call', call_id: 'call_1' }),
      }),
      answered('the result', 'sunny'),
      paired('which call is answered', 0, 'sunny'),
    ],
  },
  {
    name: 'two calls at once',
    in: exchange(FIRST, SECOND),
    facts: [
      called('the first call', { name: 'weather', args: FIRST.args }),
      called('the second call', { name: 'traffic', args: SECOND.args }),
      paired('the answer to the first', 0, 'sunny'),
      paired('the answer to the second', 1, 'heavy'),
      TOGETHER,
      fact('the calls are one turn', /turn|merged/i, {
        chat: counts('messages.*', { role: 'assistant' }, 1),
        messages: counts('messages.*', { role: 'assistant' }, 1),
        genai: counts('contents.*', { role: 'model' }, 1),
        responses: inOrder('input.*.type', 'function_call', 'function_call', 'function_call_output'),
      }),
    ],
  },
  {
    name: 'calls without ids',
    in: {
      genai: ask.genai({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          {
            role: 'model',
            parts: [
              { functionCall: { name: 'weather', args: { city: 'Paris' } } },
              { functionCall: { name: 'weather', args: { city: 'Rome' } } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'weather', response: { output: 'sunny' } } },
              { functionResponse: { name: 'weather', response: { output: 'rainy' } } },
            ],
          },
        ],
      }),
    },
    facts: [paired('the answer to the first', 0, 'sunny'), paired('the answer to the second', 1, 'rainy')],
  },
  {
    name: 'a call without arguments',
    in: exchange({ ...FIRST, args: {} }),
    facts: [called('an empty object', { name: 'weather', args: (value: JsonValue) => JSON.stringify(value) === '{}' })],
  },
  {
    name: 'words before a call',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: 'I look it up.',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
        ],
      }),
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look it up.' },
              { type: 'tool_use', id: 'call_1', name: 'now', input: {} },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'noon' }] },
        ],
      }),
      genai: ask.genai({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          {
            role: 'model',
            parts: [{ text: 'I look it up.' }, { functionCall: { id: 'call_1', name: 'now', args: {} } }],
          },
          { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'now', response: { output: 'noon' } } }] },
        ],
      }),
      responses: ask.responses({
        input: [
          { role: 'user', content: 'Hello' },
          assistant('I look it up.'),
          { type: 'function_call', call_id: 'call_1', name: 'now', arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
        ],
      }),
    },
    facts: [
      fact('the words', /text/i, {
        chat: has('messages.*', { role: 'assistant', content: contains('I look it up.') }),
        messages: has('messages.*', { role: 'assistant', content: contains('I look it up.') }),
        genai: has('contents.*', { role: 'model', parts: contains('I look it up.') }),
        responses: has(ITEM, { role: 'assistant', content: contains('I look it up.') }),
      }),
      called('the call', { name: 'now' }),
    ],
  },
]
