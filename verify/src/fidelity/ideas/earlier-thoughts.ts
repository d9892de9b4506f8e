import { fact, type Idea, type Look, type ProtocolName } from '../fact.ts'
import { carries, either, has, lacks, contains } from '../look.ts'
import { ask, assistant } from '../wire/build.ts'

const SIGNATURE = 'EqMBCkgIBRABGAIqQNmNV7vQ8oR2'
const THOUGHT = 'They ask about rain.'

const history = {
  messages: ask.messages({
    thinking: { type: 'enabled', budget_tokens: 2048 },
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: THOUGHT, signature: SIGNATURE },
          { type: 'text', text: 'It rains.' },
        ],
      },
      { role: 'user', content: 'Still?' },
    ],
  }),
  chat: ask.chat({
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: 'It rains.',
        reasoning: THOUGHT,
        reasoning_details: [{ type: 'reasoning.text', text: THOUGHT, signature: SIGNATURE, index: 0 }],
      },
      { role: 'user', content: 'Still?' },
    ],
  }),
  genai: ask.genai({
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }] },
      { role: 'model', parts: [{ text: THOUGHT, thought: true, thoughtSignature: SIGNATURE }, { text: 'It rains.' }] },
      { role: 'user', parts: [{ text: 'Still?' }] },
    ],
  }),
  responses: ask.responses({
    input: [
      { role: 'user', content: 'Hello' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: THOUGHT }],
        encrypted_content: SIGNATURE,
      },
      assistant('It rains.'),
      { role: 'user', content: 'Still?' },
    ],
  }),
}

const neverText = (text: string): { readonly [Name in ProtocolName]: Look } => ({
  chat: lacks('messages.*.content.*', { type: 'text', text: contains(text) }),
  messages: lacks('messages.*.content.*', { type: 'text', text: contains(text) }),
  genai: lacks('contents.*.parts.*', { text: contains(text), thought: (thought: unknown) => thought !== true }),
  responses: lacks('input.*.content.*', { type: /^(in|out)put_text$/, text: contains(text) }),
})

const answered = fact('the answer', /text/i, {
  chat: has('messages.*', { role: 'assistant', content: contains('It rains.') }),
  messages: has('messages.*', { role: 'assistant', content: contains('It rains.') }),
  genai: has('contents.*', { role: 'model', parts: contains('It rains.') }),
  responses: has('input.*', { role: 'assistant', content: contains('It rains.') }),
})

/** Earlier reasoning, back to its issuer or to another model. */
export const earlierThoughts: readonly Idea[] = [
  {
    name: 'a signed thought, back to who signed it',
    in: history,
    issuer: 'anthropic',
    facts: [answered, fact('it is not taken for words of the answer', /nothing/, neverText(THOUGHT))],
  },
  {
    name: 'a signed thought of a messages model, back to it',
    in: { messages: history.messages },
    issuer: 'anthropic',
    facts: [
      fact('the thought', /reasoning|thinking/i, {
        chat: either(
          has('messages.*.reasoning_details.*', { text: THOUGHT }),
          has('messages.*.reasoning', THOUGHT),
          has('messages.*.reasoning_content', THOUGHT),
        ),
        messages: has('messages.*.content.*', { type: 'thinking', thinking: THOUGHT }),
        genai: has('contents.*.parts.*', { text: THOUGHT, thought: true }),
        responses: either(
          has('input.*.summary.*', { text: THOUGHT }),
          has('input.*.content.*', { type: 'reasoning_text', text: THOUGHT }),
        ),
      }),
      fact('the signature', /reasoning|thinking|sign|seal/i, {
        chat: carries(SIGNATURE),
        messages: has('messages.*.content.*', { signature: SIGNATURE }),
        genai: carries(SIGNATURE),
        responses: carries(SIGNATURE),
      }),
    ],
  },
  {
    name: 'a signed thought, to another model',
    in: { messages: history.messages, genai: history.genai, responses: history.responses },
    facts: [
      answered,
      fact('it is not taken for words of the answer', /nothing/, neverText(THOUGHT)),
      fact('the thought', /reasoning|thinking|thought|sign/i, {
        chat: {
          perhaps: either(
            has('messages.*.reasoning_details.*', { text: THOUGHT }),
            has('messages.*.reasoning', THOUGHT),
            has('messages.*.reasoning_content', THOUGHT),
          ),
        },
        messages: { perhaps: has('messages.*.content.*', { type: 'thinking', thinking: THOUGHT }) },
        genai: { perhaps: has('contents.*.parts.*', { text: THOUGHT, thought: true }) },
        responses: {
          perhaps: either(
            has('input.*.summary.*', { text: THOUGHT }),
            has('input.*.content.*', { type: 'reasoning_text', text: THOUGHT }),
          ),
        },
      }),
    ],
  },
  {
    name: 'hidden thoughts, to another model',
    in: {
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: [
              { type: 'redacted_thinking', data: SIGNATURE },
              { type: 'text', text: 'It rains.' },
            ],
          },
          { role: 'user', content: 'Still?' },
        ],
      }),
    },
    facts: [
      answered,
      fact('the sealed thought', /reasoning|thinking|redacted|sign/i, {
        chat: { perhaps: carries(SIGNATURE) },
        messages: has('messages.*.content.*', { type: 'redacted_thinking', data: SIGNATURE }),
        genai: { perhaps: carries(SIGNATURE) },
        responses: { perhaps: carries(SIGNATURE) },
      }),
    ],
  },
  {
    name: 'hidden thoughts, back to who hid them',
    issuer: 'anthropic',
    in: {
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: [
              { type: 'redacted_thinking', data: SIGNATURE },
              { type: 'text', text: 'It rains.' },
            ],
          },
          { role: 'user', content: 'Still?' },
        ],
      }),
    },
    facts: [
      fact('the sealed thought', /reasoning|thinking|redacted|sign/i, {
        chat: carries(SIGNATURE),
        messages: has('messages.*.content.*', { type: 'redacted_thinking', data: SIGNATURE }),
        genai: carries(SIGNATURE),
        responses: carries(SIGNATURE),
      }),
    ],
  },
  {
    name: 'a signed call of a genai model, back to it',
    issuer: 'google',
    in: {
      genai: ask.genai({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          {
            role: 'model',
            parts: [{ functionCall: { id: 'call_1', name: 'now', args: {} }, thoughtSignature: SIGNATURE }],
          },
          { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'now', response: { output: 'noon' } } }] },
        ],
      }),
    },
    facts: [
      fact('the signature', /sign|seal/i, {
        chat: carries(SIGNATURE),
        // Tool uses are not signed.
        messages: { perhaps: carries(SIGNATURE) },
        genai: has('contents.*.parts.*', { functionCall: { name: 'now' }, thoughtSignature: SIGNATURE }),
        responses: // Calls are not signed.
          { perhaps: carries(SIGNATURE) },
      }),
    ],
  },
]
