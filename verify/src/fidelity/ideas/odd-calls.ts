import { fact, type Idea } from '../fact.ts'
import { objectOf, type JsonValue } from '../json.ts'
import { carries, either, has, json, contains, pick } from '../look.ts'
import { ask } from '../wire/build.ts'
import { USE, PART, ITEM, answered } from './call-facts.ts'

/** Calls of unusual kinds. */
export const oddCalls: readonly Idea[] = [
  {
    name: 'calls with ids of their own kind',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: null,
            tool_calls: ['functions.now:0', 'functions.now:0'].map((id) => ({
              id,
              type: 'function',
              function: { name: 'now', arguments: '{}' },
            })),
          },
          { role: 'tool', tool_call_id: 'functions.now:0', content: 'noon' },
          { role: 'tool', tool_call_id: 'functions.now:0', content: 'midnight' },
        ],
      }),
    },
    facts: [
      fact('ids that the upstream allows', /id/i, {
        chat: has('messages.*.tool_calls.*.id', 'functions.now:0'),
        messages: (body) => {
          const ids = pick(body, USE).flatMap((block) => [objectOf(block)['id'], objectOf(block)['tool_use_id']])
          const known = ids.filter((id) => id !== undefined)
          const isRight =
            new Set(known).size === 2 &&
            known.length === 4 &&
            known.every((id) => typeof id === 'string' && /^[\w-]+$/.test(id))
          return isRight ? 'kept' : 'wrong'
        },
        genai: 'elsewhere',
        responses: (body) => {
          const ids = pick(body, 'input.*.call_id')
          return ids.length === 4 && new Set(ids).size === 2 ? 'kept' : 'wrong'
        },
      }),
      answered('the first result', 'noon'),
      answered('the second result', 'midnight'),
    ],
  },
  {
    name: 'a call with empty text for arguments',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
        ],
      }),
      responses: ask.responses({
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'function_call', call_id: 'call_1', name: 'now', arguments: '' },
          { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
        ],
      }),
    },
    facts: [
      fact('an empty object', /argument/i, {
        chat: has('messages.*.tool_calls.*.function.arguments', (value: JsonValue) => value === '' || value === '{}'),
        messages: has(USE, { type: 'tool_use', input: (value: JsonValue) => JSON.stringify(value) === '{}' }),
        genai: has(PART, { functionCall: { args: (value: JsonValue) => JSON.stringify(value ?? {}) === '{}' } }),
        responses: has(ITEM, {
          type: 'function_call',
          arguments: (value: JsonValue) => value === '' || value === '{}',
        }),
      }),
      answered('the result', 'noon'),
    ],
  },
  {
    name: 'arguments that are no JSON',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{"city": ' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
        ],
      }),
      responses: ask.responses({
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'function_call', call_id: 'call_1', name: 'now', arguments: '{"city": ' },
          { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
        ],
      }),
    },
    facts: [
      fact('the text of them', /argument/i, {
        chat: has('messages.*.tool_calls.*.function.arguments', '{"city": '),
        messages: { nearly: has(USE, { type: 'tool_use', input: contains('{"city": ') }) },
        genai: { nearly: has(PART, { functionCall: { args: contains('{"city": ') } }) },
        responses: has(ITEM, { type: 'function_call', arguments: '{"city": ' }),
      }),
    ],
  },
  {
    name: 'calls in the older form',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: null, function_call: { name: 'now', arguments: '{"zone":"CET"}' } },
          { role: 'function', name: 'now', content: 'noon' },
        ],
      }),
    },
    facts: [
      fact('the call', /call/i, {
        chat: either(
          has('messages.*.function_call', { name: 'now' }),
          has('messages.*.tool_calls.*.function', { name: 'now' }),
        ),
        messages: has(USE, { type: 'tool_use', name: 'now', input: { zone: 'CET' } }),
        genai: has(PART, { functionCall: { name: 'now', args: { zone: 'CET' } } }),
        responses: has(ITEM, { type: 'function_call', name: 'now', arguments: json({ zone: 'CET' }) }),
      }),
      fact('the result', /result/i, {
        chat: either(
          has('messages.*', { role: 'function', content: contains('noon') }),
          has('messages.*', { role: 'tool', content: contains('noon') }),
        ),
        messages: has(USE, { type: 'tool_result', content: contains('noon') }),
        genai: has(PART, { functionResponse: { name: 'now', response: contains('noon') } }),
        responses: has(ITEM, { type: 'function_call_output', output: contains('noon') }),
      }),
    ],
  },
  {
    name: 'a call with free text',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'shell', input: 'ls -l' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
        ],
      }),
      responses: ask.responses({
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'custom_tool_call', call_id: 'call_1', name: 'shell', input: 'ls -l' },
          { type: 'custom_tool_call_output', call_id: 'call_1', output: 'a.txt' },
        ],
      }),
    },
    facts: [
      fact('the text', /custom|argument/i, {
        chat: has('messages.*.tool_calls.*.custom', { name: 'shell', input: 'ls -l' }),
        messages: { nearly: has(USE, { type: 'tool_use', name: 'shell', input: contains('ls -l') }) },
        genai: { nearly: has(PART, { functionCall: { name: 'shell', args: contains('ls -l') } }) },
        responses: has(ITEM, { type: 'custom_tool_call', name: 'shell', input: 'ls -l' }),
      }),
      answered('the result', 'a.txt'),
    ],
  },
  {
    name: 'a search that the upstream made',
    in: {
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: [
              { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'sky' } },
              {
                type: 'web_search_tool_result',
                tool_use_id: 'srvtoolu_1',
                content: [
                  {
                    type: 'web_search_result',
                    url: 'https://example.com',
                    title: 'Sky',
                    encrypted_content: 'EqgfCioIARgB',
                  },
                ],
              },
              { type: 'text', text: 'It is blue.' },
            ],
          },
          { role: 'user', content: 'Why?' },
        ],
      }),
    },
    facts: [
      fact('the search', /search|call|tool|parts\.0:/i, {
        chat: 'never',
        messages: has(USE, { type: 'server_tool_use', input: { query: 'sky' } }),
        genai: 'never',
        responses: { perhaps: carries('sky') },
      }),
      fact('what it found', /search|result|tool|parts\.1:/i, {
        chat: 'never',
        messages: has(USE, { type: 'web_search_tool_result' }),
        genai: 'never',
        responses: { perhaps: carries('https://example.com') },
      }),
      fact('the answer', /text/i, {
        chat: has('messages.*', { role: 'assistant', content: contains('It is blue.') }),
        messages: has('messages.*', { role: 'assistant', content: contains('It is blue.') }),
        genai: has('contents.*', { role: 'model', parts: contains('It is blue.') }),
        responses: has(ITEM, { role: 'assistant', content: contains('It is blue.') }),
      }),
    ],
  },
  {
    name: 'code that the upstream ran',
    in: {
      genai: ask.genai({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          {
            role: 'model',
            parts: [
              { executableCode: { language: 'PYTHON', code: 'print(1)' } },
              { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
              { text: 'One.' },
            ],
          },
          { role: 'user', parts: [{ text: 'Go on' }] },
        ],
      }),
    },
    facts: [
      fact('the code', /code/i, {
        chat: { nearly: has('messages.*.content', contains('print(1)')) },
        messages: { nearly: has('messages.*.content', contains('print(1)')) },
        genai: has(PART, { executableCode: { code: 'print(1)' } }),
        responses: { nearly: has('input.*.content', contains('print(1)')) },
      }),
    ],
  },
]
