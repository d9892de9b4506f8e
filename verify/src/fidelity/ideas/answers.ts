import { fact, type Idea } from '../fact.ts'
import type { JsonValue } from '../json.ts'
import { at, counts, either, has, inOrder, lacks, contains } from '../look.ts'
import { answer, functionCall, spoken } from '../wire/build.ts'
import { CHOICE, PART, ITEM, CONTENT, worded, called, toolCalls, FINISHED } from './answer-facts.ts'

/** Texts and calls of a model. */
export const answers: readonly Idea[] = [
  {
    name: 'words',
    in: { chat: answer.chat(), messages: answer.messages(), genai: answer.genai(), responses: answer.responses() },
    facts: [
      worded('the words', 'Good day'),
      fact('its id', /\bid\b/i, {
        chat: at('id', 'answer-1'),
        messages: at('id', 'answer-1'),
        genai: at('responseId', 'answer-1'),
        responses: at('id', 'answer-1'),
      }),
      fact('the model', /model/i, {
        chat: at('model', 'model-1'),
        messages: at('model', 'model-1'),
        genai: at('modelVersion', 'model-1'),
        responses: at('model', 'model-1'),
      }),
      fact('who speaks', /role/i, {
        chat: at(`${CHOICE}.role`, 'assistant'),
        messages: at('role', 'assistant'),
        genai: at('candidates.0.content.role', 'model'),
        responses: has(ITEM, { role: 'assistant' }),
      }),
      fact('that it ends well', /finish|stop/i, {
        chat: at('choices.0.finish_reason', 'stop'),
        messages: at('stop_reason', 'end_turn'),
        genai: at('candidates.0.finishReason', 'STOP'),
        responses: at('status', 'completed'),
      }),
    ],
  },
  {
    name: 'when it was made',
    in: { chat: answer.chat(), genai: answer.genai(), responses: answer.responses() },
    facts: [
      fact('the time', /creat/i, {
        chat: at('created', 1_700_000_000),
        messages: 'never',
        genai: at('createTime', /^2023-11-14T22:13:20(\.0+)?Z$/),
        responses: at('created_at', 1_700_000_000),
      }),
    ],
  },
  {
    name: 'words in two blocks',
    in: {
      messages: answer.messages({
        content: [
          { type: 'text', text: 'Good ' },
          { type: 'text', text: 'day' },
        ],
      }),
      genai: answer.genai({ parts: [{ text: 'Good ' }, { text: 'day' }] }),
      responses: answer.responses({ output: [spoken('Good ', 'day')] }),
    },
    facts: [
      fact('all of them, in order', /text|content/i, {
        chat: at(`${CHOICE}.content`, /Good\s+day/),
        messages: either(
          inOrder('content.*', { text: 'Good ' }, { text: 'day' }),
          has('content.*', { text: 'Good day' }),
        ),
        genai: either(inOrder(PART, { text: 'Good ' }, { text: 'day' }), has(PART, { text: 'Good day' })),
        responses: either(inOrder(CONTENT, { text: 'Good ' }, { text: 'day' }), has(CONTENT, { text: 'Good day' })),
      }),
    ],
  },
  {
    name: 'words of many scripts',
    in: {
      chat: answer.chat({ message: { content: '🦊 naïve "水"\n' } }),
      messages: answer.messages({ content: [{ type: 'text', text: '🦊 naïve "水"\n' }] }),
      genai: answer.genai({ parts: [{ text: '🦊 naïve "水"\n' }] }),
      responses: answer.responses({ output: [spoken('🦊 naïve "水"\n')] }),
    },
    facts: [worded('every character', '🦊 naïve "水"\n')],
  },
  {
    name: 'a call',
    in: toolCalls(['call_1', 'weather', { city: 'Paris', days: [1, 2] }]),
    facts: [
      called('the name and the arguments', 'weather', { city: 'Paris', days: [1, 2] }),
      fact('the id', /\bid\b/i, {
        chat: has(`${CHOICE}.tool_calls.*.id`, contains('call_1')),
        messages: has('content.*', { type: 'tool_use', id: contains('call_1') }),
        genai: has(PART, { functionCall: { id: contains('call_1') } }),
        responses: has(ITEM, { type: 'function_call', call_id: contains('call_1') }),
      }),
      FINISHED,
    ],
  },
  {
    name: 'a call and no words',
    in: toolCalls(['call_1', 'weather', { city: 'Paris' }]),
    facts: [
      fact('no empty words beside it', /nothing/, {
        chat: lacks(`${CHOICE}.content`, (content: JsonValue) => typeof content === 'string' && content !== ''),
        messages: lacks('content.*', { type: 'text', text: '' }),
        genai: lacks(PART, { text: '' }),
        responses: lacks(CONTENT, { text: '' }),
      }),
    ],
    whole: true,
  },
  {
    name: 'two calls at once',
    in: toolCalls(['call_1', 'weather', { city: 'Paris' }], ['call_2', 'traffic', { city: 'Rome' }]),
    facts: [
      called('the first', 'weather', { city: 'Paris' }),
      called('the second', 'traffic', { city: 'Rome' }),
      fact('that they are two', /call/i, {
        chat: counts(`${CHOICE}.tool_calls.*`, {}, 2),
        messages: counts('content.*', { type: 'tool_use' }, 2),
        genai: counts(PART, { functionCall: {} }, 2),
        responses: counts(ITEM, { type: 'function_call' }, 2),
      }),
      FINISHED,
    ],
  },
  {
    name: 'a call without arguments',
    in: toolCalls(['call_1', 'now', {}]),
    facts: [called('an empty object', 'now', (value: JsonValue) => JSON.stringify(value) === '{}')],
  },
  {
    name: 'a call without an id',
    in: { genai: answer.genai({ parts: [{ functionCall: { name: 'now', args: { zone: 'CET' } } }] }) },
    facts: [
      called('the call', 'now', { zone: 'CET' }),
      fact('an id to answer to', /\bid\b/i, {
        chat: has(`${CHOICE}.tool_calls.*.id`, /.+/),
        messages: has('content.*', { type: 'tool_use', id: /^[a-zA-Z0-9_-]+$/ }),
        genai: has(PART, { functionCall: {} }),
        responses: has(ITEM, { type: 'function_call', call_id: /.+/ }),
      }),
      FINISHED,
    ],
  },
  {
    name: 'words, then a call',
    in: {
      chat: answer.chat({
        message: {
          content: 'I look it up.',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }],
        },
        choice: { finish_reason: 'tool_calls' },
      }),
      messages: answer.messages({
        content: [
          { type: 'text', text: 'I look it up.' },
          { type: 'tool_use', id: 'call_1', name: 'now', input: {} },
        ],
        body: { stop_reason: 'tool_use' },
      }),
      genai: answer.genai({
        parts: [{ text: 'I look it up.' }, { functionCall: { id: 'call_1', name: 'now', args: {} } }],
      }),
      responses: answer.responses({ output: [spoken('I look it up.'), functionCall('call_1', 'now', '{}')] }),
    },
    facts: [worded('the words', 'I look it up.'), called('the call', 'now', {}), FINISHED],
  },
  {
    name: 'a call with free text',
    in: {
      chat: answer.chat({
        message: {
          content: null,
          tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'shell', input: 'ls -l' } }],
        },
        choice: { finish_reason: 'tool_calls' },
      }),
      responses: answer.responses({
        output: [
          {
            type: 'custom_tool_call',
            id: 'ctc_1',
            status: 'completed',
            call_id: 'call_1',
            name: 'shell',
            input: 'ls -l',
          },
        ],
      }),
    },
    facts: [
      fact('the text', /custom|argument/i, {
        chat: has(`${CHOICE}.tool_calls.*.custom`, { name: 'shell', input: 'ls -l' }),
        messages: { nearly: has('content.*', { type: 'tool_use', name: 'shell', input: contains('ls -l') }) },
        genai: { nearly: has(PART, { functionCall: { name: 'shell', args: contains('ls -l') } }) },
        responses: has(ITEM, { type: 'custom_tool_call', name: 'shell', input: 'ls -l' }),
      }),
    ],
  },
  {
    name: 'arguments that are no JSON',
    in: {
      chat: answer.chat({
        message: {
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{"zone": ' } }],
        },
        choice: { finish_reason: 'tool_calls' },
      }),
      responses: answer.responses({ output: [functionCall('call_1', 'now', '{"zone": ')] }),
    },
    facts: [
      fact('the text of them', /argument/i, {
        chat: has(`${CHOICE}.tool_calls.*.function.arguments`, '{"zone": '),
        messages: { nearly: has('content.*', { type: 'tool_use', input: contains('{"zone": ') }) },
        genai: { nearly: has(PART, { functionCall: { args: contains('{"zone": ') } }) },
        responses: has(ITEM, { type: 'function_call', arguments: '{"zone": ' }),
      }),
    ],
    whole: true,
  },
]
