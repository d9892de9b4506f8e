import { fact, type Idea } from '../fact.ts'
import { either, has, inOrder, json, contains } from '../look.ts'
import { ask } from '../wire/build.ts'
import { PNG, USE, PART, ITEM, answered, failed, withImages } from './call-facts.ts'

/** Tool results. */
export const results: readonly Idea[] = [
  {
    name: 'results, then words',
    in: {
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'now', input: {} }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_1', content: 'noon' },
              { type: 'text', text: 'And tomorrow?' },
            ],
          },
        ],
      }),
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
          { role: 'user', content: 'And tomorrow?' },
        ],
      }),
      genai: ask.genai({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'now', args: {} } }] },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'call_1', name: 'now', response: { output: 'noon' } } },
              { text: 'And tomorrow?' },
            ],
          },
        ],
      }),
      responses: ask.responses({
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'function_call', call_id: 'call_1', name: 'now', arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
          { role: 'user', content: 'And tomorrow?' },
        ],
      }),
    },
    facts: [
      answered('the result', 'noon'),
      fact('the words, behind it', /text/i, {
        chat: inOrder('messages.*.content', contains('noon'), contains('And tomorrow?')),
        messages: inOrder('messages.*.content.*', contains('noon'), contains('And tomorrow?')),
        genai: inOrder(PART, contains('noon'), contains('And tomorrow?')),
        responses: inOrder(ITEM, contains('noon'), contains('And tomorrow?')),
      }),
    ],
  },
  {
    name: 'a result that is an object',
    in: {
      genai: ask.genai({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'now', args: {} } }] },
          {
            role: 'user',
            parts: [{ functionResponse: { id: 'call_1', name: 'now', response: { hour: 12, zone: 'CET' } } }],
          },
        ],
      }),
    },
    facts: [
      fact('its members', /result|output|response/i, {
        chat: has('messages.*.content.*.text', json({ hour: 12, zone: 'CET' })),
        messages: has('messages.*.content.*.content.*.text', json({ hour: 12, zone: 'CET' })),
        genai: either(
          has(PART, { functionResponse: { response: { hour: 12, zone: 'CET' } } }),
          has(PART, { functionResponse: { response: contains('"hour":12') } }),
        ),
        responses: either(
          has('input.*.output', json({ hour: 12, zone: 'CET' })),
          has('input.*.output.*.text', json({ hour: 12, zone: 'CET' })),
        ),
      }),
    ],
  },
  {
    name: 'a result that failed',
    in: { messages: failed },
    facts: [
      answered('its words', 'no such city'),
      fact('that it failed', /fail|error/i, {
        chat: 'never',
        messages: has(USE, { type: 'tool_result', is_error: true }),
        genai: has(PART, { functionResponse: { response: { error: contains('no such city') } } }),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'an image in a result',
    in: {
      messages: withImages([
        { type: 'text', text: 'taken' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ]),
      responses: ask.responses({
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'function_call', call_id: 'call_1', name: 'now', arguments: '{}' },
          {
            type: 'function_call_output',
            call_id: 'call_1',
            output: [
              { type: 'input_text', text: 'taken' },
              { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
            ],
          },
        ],
      }),
    },
    facts: [
      answered('the words', 'taken'),
      fact('the image reaches the model', /image|media/i, {
        chat: has('messages.*.content.*', { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }),
        messages: either(
          has(`${USE}.content.*`, { type: 'image', source: { data: PNG } }),
          has(USE, { type: 'image', source: { data: PNG } }),
        ),
        genai: either(
          has(`${PART}.functionResponse.parts.*`, { inlineData: { data: PNG } }),
          has(PART, { inlineData: { data: PNG } }),
        ),
        responses: either(
          has('input.*.output.*', { type: 'input_image', image_url: `data:image/png;base64,${PNG}` }),
          has('input.*.content.*', { type: 'input_image', image_url: `data:image/png;base64,${PNG}` }),
        ),
      }),
    ],
  },
  {
    name: 'a document in a result',
    in: {
      messages: withImages([
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PNG } },
      ]),
    },
    facts: [
      fact('the document reaches the model', /document|media/i, {
        chat: has('messages.*.content.*', { type: 'file', file: { file_data: `data:application/pdf;base64,${PNG}` } }),
        messages: either(
          has(`${USE}.content.*`, { type: 'document', source: { data: PNG } }),
          has(USE, { type: 'document', source: { data: PNG } }),
        ),
        genai: either(
          has(`${PART}.functionResponse.parts.*`, { inlineData: { data: PNG } }),
          has(PART, { inlineData: { data: PNG } }),
        ),
        responses: either(
          has('input.*.output.*', { type: 'input_file', file_data: `data:application/pdf;base64,${PNG}` }),
          has('input.*.content.*', { type: 'input_file', file_data: `data:application/pdf;base64,${PNG}` }),
        ),
      }),
    ],
  },
  {
    name: 'a search result in a result',
    in: {
      messages: withImages([
        {
          type: 'search_result',
          source: 'https://example.com/a',
          title: 'A page',
          content: [{ type: 'text', text: 'Sales rose.' }],
        },
      ]),
    },
    facts: [
      fact('its words', /search|result/i, {
        chat: { nearly: has('messages.*', { role: 'tool', content: contains('Sales rose.') }) },
        messages: has(`${USE}.content.*`, { type: 'search_result', content: [{ text: 'Sales rose.' }] }),
        genai: { nearly: has(PART, { functionResponse: { response: contains('Sales rose.') } }) },
        responses: { nearly: has(ITEM, { type: 'function_call_output', output: contains('Sales rose.') }) },
      }),
    ],
  },
  {
    name: 'a result without content',
    in: {
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'now', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1' }] },
        ],
      }),
    },
    facts: [
      fact('that the call is answered', /result/i, {
        chat: has('messages.*', { role: 'tool', tool_call_id: 'call_1' }),
        messages: has(USE, { type: 'tool_result', tool_use_id: 'call_1' }),
        genai: has(PART, { functionResponse: { name: 'now' } }),
        responses: has(ITEM, { type: 'function_call_output', call_id: 'call_1' }),
      }),
    ],
  },
]
