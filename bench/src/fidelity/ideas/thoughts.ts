import { fact, lateFact, type Idea } from '../fact.ts'
import { at, both, carries, has, lacks, contains } from '../look.ts'
import { answer } from '../wire/build.ts'
import { CHOICE, PART, PLAIN, SIGNATURE, SECOND, worded, called, thought } from './answer-facts.ts'

/** Reasoning, refusals, and tools of the upstream. */
export const thoughts: readonly Idea[] = [
  {
    name: 'a thought',
    in: {
      chat: answer.chat({ message: { reasoning: 'They greet.', reasoning_content: 'They greet.' } }),
      messages: answer.messages({
        content: [
          { type: 'thinking', thinking: 'They greet.', signature: SIGNATURE },
          { type: 'text', text: 'Good day' },
        ],
      }),
      genai: answer.genai({
        parts: [
          { text: 'They greet.', thought: true },
          { text: 'Good day', thoughtSignature: SIGNATURE },
        ],
      }),
    },
    facts: [
      fact('the thought', /reasoning|thinking|thought/i, thought('They greet.')),
      worded('the words', 'Good day'),
      fact('that it is no part of the words', /nothing/, {
        chat: lacks(`${CHOICE}.content`, contains('They greet.')),
        messages: lacks('content.*', { type: 'text', text: contains('They greet.') }),
        genai: lacks(PART, { text: contains('They greet.'), thought: PLAIN }),
      }),
    ],
  },
  {
    name: 'a signed thought',
    in: {
      messages: answer.messages({
        content: [
          { type: 'thinking', thinking: 'They greet.', signature: SIGNATURE },
          { type: 'text', text: 'Good day' },
        ],
      }),
      genai: answer.genai({
        parts: [{ text: 'They greet.', thought: true, thoughtSignature: SIGNATURE }, { text: 'Good day' }],
      }),
    },
    facts: [
      lateFact(
        'the signature',
        /sign|seal/i,
        {
          chat: carries(SIGNATURE),
          messages: both(has('content.*', { type: 'thinking' }), carries(SIGNATURE)),
          genai: carries(SIGNATURE),
        },
        { genai: carries(SIGNATURE) },
      ),
    ],
  },
  {
    name: 'thoughts between calls',
    in: {
      messages: answer.messages({
        content: [
          { type: 'thinking', thinking: 'First this.', signature: SIGNATURE },
          { type: 'tool_use', id: 'call_1', name: 'now', input: {} },
          { type: 'thinking', thinking: 'Then that.', signature: SECOND },
          { type: 'tool_use', id: 'call_2', name: 'weather', input: {} },
        ],
        body: { stop_reason: 'tool_use' },
      }),
    },
    facts: [
      fact('the first thought', /reasoning|thinking/i, thought('First this.')),
      fact('the second thought', /reasoning|thinking/i, thought('Then that.')),
      lateFact(
        'the first signature',
        /sign|seal/i,
        {
          chat: carries(SIGNATURE),
          messages: has('content.*', { thinking: 'First this.', signature: SIGNATURE }),
          genai: carries(SIGNATURE),
        },
        { genai: carries(SIGNATURE) },
      ),
      lateFact(
        'the second signature',
        /sign|seal/i,
        {
          chat: carries(SECOND),
          messages: has('content.*', { thinking: 'Then that.', signature: SECOND }),
          genai: carries(SECOND),
        },
        { genai: carries(SECOND) },
      ),
      called('the second call', 'weather', {}),
    ],
  },
  {
    name: 'a hidden thought',
    in: {
      messages: answer.messages({
        content: [
          { type: 'redacted_thinking', data: SIGNATURE },
          { type: 'text', text: 'Good day' },
        ],
      }),
    },
    facts: [
      lateFact(
        'the sealed thought',
        /reasoning|thinking|redacted/i,
        {
          chat: carries(SIGNATURE),
          messages: has('content.*', { type: 'redacted_thinking', data: SIGNATURE }),
          genai: carries(SIGNATURE),
        },
        { genai: carries(SIGNATURE) },
      ),
      worded('the words', 'Good day'),
    ],
  },
  {
    name: 'a signed call',
    in: {
      genai: answer.genai({
        parts: [{ functionCall: { id: 'call_1', name: 'now', args: {} }, thoughtSignature: SIGNATURE }],
      }),
    },
    facts: [
      fact('the signature', /sign|seal/i, {
        chat: carries(SIGNATURE),
        messages: carries(SIGNATURE),
        genai: has(PART, { functionCall: { name: 'now' }, thoughtSignature: SIGNATURE }),
      }),
      called('the call', 'now', {}),
    ],
  },
  {
    name: 'a refusal',
    in: { chat: answer.chat({ message: { content: null, refusal: 'I must not.' } }) },
    facts: [
      fact('its words', /refusal/i, {
        chat: at(`${CHOICE}.refusal`, 'I must not.'),
        messages: { nearly: has('content.*', { type: 'text', text: 'I must not.' }) },
        genai: { nearly: has(PART, { text: 'I must not.' }) },
      }),
    ],
  },
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
      }),
      fact('what it found', /search|result|tool|found/i, {
        chat: { perhaps: carries('https://example.com') },
        messages: has('content.*', { type: 'web_search_tool_result' }),
        genai: { perhaps: carries('https://example.com') },
      }),
      fact('that the caller need not run it', /nothing/, {
        chat: lacks(`${CHOICE}.tool_calls.*`, {}),
        messages: lacks('content.*', { type: 'tool_use' }),
        genai: lacks(PART, { functionCall: {} }),
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
      }),
    ],
  },
  {
    name: 'a picture',
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
      }),
      fact('the second', /candidate|choice/i, {
        chat: at('choices.1.message.content', 'two'),
        messages: 'never',
        genai: has('candidates.1.content.parts.*', { text: 'two' }),
      }),
    ],
    whole: true,
  },
]
