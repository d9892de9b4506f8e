import { fact, lateFact, type Idea } from '../fact.ts'
import { at, both, carries, has, lacks, contains } from '../look.ts'
import { answer, spoken, summarized } from '../wire/build.ts'
import { CHOICE, PART, CONTENT, PLAIN, SIGNATURE, SECOND, worded, called, thought } from './answer-facts.ts'

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
      responses: answer.responses({ output: [summarized('They greet.'), spoken('Good day')] }),
    },
    facts: [
      fact('the thought', /reasoning|thinking|thought/i, thought('They greet.')),
      worded('the words', 'Good day'),
      fact('that it is no part of the words', /nothing/, {
        chat: lacks(`${CHOICE}.content`, contains('They greet.')),
        messages: lacks('content.*', { type: 'text', text: contains('They greet.') }),
        genai: lacks(PART, { text: contains('They greet.'), thought: PLAIN }),
        responses: lacks(CONTENT, { type: 'output_text', text: contains('They greet.') }),
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
      responses: answer.responses({ output: [summarized('They greet.', SIGNATURE), spoken('Good day')] }),
    },
    facts: [
      lateFact(
        'the signature',
        /sign|seal/i,
        {
          chat: carries(SIGNATURE),
          messages: both(has('content.*', { type: 'thinking' }), carries(SIGNATURE)),
          genai: carries(SIGNATURE),
          responses: carries(SIGNATURE),
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
          responses: carries(SIGNATURE),
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
          responses: carries(SECOND),
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
          responses: carries(SIGNATURE),
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
        responses: carries(SIGNATURE),
      }),
      called('the call', 'now', {}),
    ],
  },
  {
    name: 'a refusal',
    in: {
      chat: answer.chat({ message: { content: null, refusal: 'I must not.' } }),
      responses: answer.responses({
        output: [{ ...spoken(), content: [{ type: 'refusal', refusal: 'I must not.' }] }],
      }),
    },
    facts: [
      fact('its words', /refusal/i, {
        chat: at(`${CHOICE}.refusal`, 'I must not.'),
        messages: { nearly: has('content.*', { type: 'text', text: 'I must not.' }) },
        genai: { nearly: has(PART, { text: 'I must not.' }) },
        responses: has(CONTENT, { type: 'refusal', refusal: 'I must not.' }),
      }),
    ],
  },
]
