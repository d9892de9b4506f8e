import { fact, type Idea } from '../fact.ts'
import { at, carries, has, lacks, contains } from '../look.ts'
import { answer, spoken } from '../wire/build.ts'
import { CHOICE, PART, ITEM, CONTENT, worded } from './answer-facts.ts'

/** What tools of the upstream did, images, and several candidates. */
export const upstreamTools: readonly Idea[] = [
  {
    name: 'a search that the upstream made',
    in: {
      messages: answer.messages({
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
      }),
    },
    facts: [
      worded('the words', 'It is blue.'),
      fact('the search', /search|call|tool/i, {
        chat: { perhaps: carries('sky') },
        messages: has('content.*', { type: 'server_tool_use', input: { query: 'sky' } }),
        genai: { perhaps: carries('sky') },
        responses: { perhaps: carries('sky') },
      }),
      fact('what it found', /search|result|tool|found/i, {
        chat: { perhaps: carries('https://example.com') },
        messages: has('content.*', { type: 'web_search_tool_result' }),
        genai: { perhaps: carries('https://example.com') },
        responses: { perhaps: carries('https://example.com') },
      }),
      fact('that the caller need not run it', /nothing/, {
        chat: lacks(`${CHOICE}.tool_calls.*`, {}),
        messages: lacks('content.*', { type: 'tool_use' }),
        genai: lacks(PART, { functionCall: {} }),
        responses: lacks(ITEM, { type: 'function_call' }),
      }),
    ],
  },
  {
    name: 'a search that a Responses upstream made',
    in: {
      responses: answer.responses({
        output: [
          {
            type: 'web_search_call',
            id: 'ws_1',
            status: 'completed',
            action: { type: 'search', query: 'sky', sources: [{ type: 'url', url: 'https://example.com' }] },
          },
          spoken('It is blue.'),
        ],
      }),
    },
    facts: [
      worded('the words', 'It is blue.'),
      fact('the search', /search|call|tool/i, {
        chat: { perhaps: carries('sky') },
        messages: has('content.*', { type: 'server_tool_use', input: { query: 'sky' } }),
        genai: { perhaps: carries('sky') },
        responses: has(ITEM, { type: 'web_search_call', action: { query: 'sky' } }),
      }),
      fact('what it found', /search|result|tool|found/i, {
        chat: { perhaps: carries('https://example.com') },
        messages: { perhaps: has('content.*', { type: 'web_search_tool_result' }) },
        genai: { perhaps: carries('https://example.com') },
        responses: has(ITEM, { action: { sources: [{ url: 'https://example.com' }] } }),
      }),
      fact('that the caller need not run it', /nothing/, {
        chat: lacks(`${CHOICE}.tool_calls.*`, {}),
        messages: lacks('content.*', { type: 'tool_use' }),
        genai: lacks(PART, { functionCall: {} }),
        responses: lacks(ITEM, { type: 'function_call' }),
      }),
    ],
  },
  {
    name: 'code that the upstream ran',
    in: {
      genai: answer.genai({
        parts: [
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          { text: 'One.' },
        ],
      }),
    },
    facts: [
      worded('the words', 'One.'),
      fact('the code', /code/i, {
        chat: { nearly: at(`${CHOICE}.content`, contains('print(1)')) },
        messages: { nearly: has('content.*', contains('print(1)')) },
        genai: has(PART, { executableCode: { code: 'print(1)' } }),
        responses: { perhaps: carries('print(1)') },
      }),
    ],
  },
  {
    name: 'an image',
    in: {
      genai: answer.genai({
        parts: [{ text: 'Here' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
      }),
    },
    facts: [
      worded('the words', 'Here'),
      fact('its bytes', /image|media|parts\.1:/i, {
        chat: { perhaps: carries('iVBORw0KGgo=') },
        messages: { perhaps: carries('iVBORw0KGgo=') },
        genai: has(PART, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }),
        responses: { perhaps: carries('iVBORw0KGgo=') },
      }),
    ],
  },
  {
    name: 'two candidates',
    in: {
      chat: answer.chat({
        body: {
          choices: ['one', 'two'].map((content, index) => ({
            index,
            message: { role: 'assistant', content },
            finish_reason: 'stop',
          })),
        },
      }),
      genai: answer.genai({
        body: {
          candidates: ['one', 'two'].map((text, index) => ({
            index,
            content: { role: 'model', parts: [{ text }] },
            finishReason: 'STOP',
          })),
        },
      }),
    },
    facts: [
      fact('the first', /candidate|choice/i, {
        chat: at('choices.0.message.content', 'one'),
        messages: has('content.*', { text: 'one' }),
        genai: has('candidates.0.content.parts.*', { text: 'one' }),
        responses: has(CONTENT, { text: 'one' }),
      }),
      fact('the second', /candidate|choice/i, {
        chat: at('choices.1.message.content', 'two'),
        messages: 'never',
        genai: has('candidates.1.content.parts.*', { text: 'two' }),
        responses: 'never',
      }),
    ],
    whole: true,
  },
]
