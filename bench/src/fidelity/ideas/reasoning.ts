import { fact, type Idea, type Look } from '../fact.ts'
import { at, both, carries, either, has, lacks, contains } from '../look.ts'
import { ask, tune } from '../wire/build.ts'

const THINKING = 'generationConfig.thinkingConfig'
const SIGNATURE = 'EqMBCkgIBRABGAIqQNmNV7vQ8oR2'
const THOUGHT = 'They ask about rain.'
const between = (low: number, high: number) => (value: unknown) => Number(value) >= low && Number(value) <= high

/** An effort and the budgets with about the same meaning. */
const effort = (word: string, low: number, high: number): Idea => ({
  name: `${word} effort`,
  in: {
    chat: ask.chat({ reasoning_effort: word, max_completion_tokens: 32_000 }),
    genai: tune({ thinkingConfig: { thinkingLevel: word.toUpperCase() }, maxOutputTokens: 32_000 }),
  },
  facts: [
    fact('about how much', /reasoning|effort|thinking/i, {
      chat: either(
        at('reasoning_effort', word),
        at('reasoning.effort', word),
        at('reasoning.max_tokens', between(low, high)),
      ),
      messages: either(at('output_config.effort', word), at('thinking.budget_tokens', between(low, high))),
      genai: either(
        at(`${THINKING}.thinkingLevel`, new RegExp(word, 'i')),
        at(`${THINKING}.thinkingBudget`, between(low, high)),
      ),
    }),
  ],
})

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
}

const neverText = (text: string): { readonly chat: Look; readonly messages: Look; readonly genai: Look } => ({
  chat: lacks('messages.*.content.*', { type: 'text', text: contains(text) }),
  messages: lacks('messages.*.content.*', { type: 'text', text: contains(text) }),
  genai: lacks('contents.*.parts.*', { text: contains(text), thought: (thought: unknown) => thought !== true }),
})

const answered = fact('the answer', /text/i, {
  chat: has('messages.*', { role: 'assistant', content: contains('It rains.') }),
  messages: has('messages.*', { role: 'assistant', content: contains('It rains.') }),
  genai: has('contents.*', { role: 'model', parts: contains('It rains.') }),
})

/** Reasoning options, and earlier reasoning. */
export const reasoning: readonly Idea[] = [
  effort('low', 1024, 4096),
  effort('medium', 4096, 9000),
  effort('high', 9000, 24_576),
  {
    name: 'a budget',
    in: {
      chat: ask.chat({ reasoning: { max_tokens: 6000 }, max_completion_tokens: 32_000 }),
      messages: ask.messages({ thinking: { type: 'enabled', budget_tokens: 6000 } }),
      genai: tune({ thinkingConfig: { thinkingBudget: 6000 } }),
    },
    facts: [
      fact('how much', /reasoning|budget/i, {
        chat: { perhaps: either(at('reasoning.max_tokens', 6000), at('reasoning_effort', 'high')) },
        messages: both(at('thinking.type', 'enabled'), at('thinking.budget_tokens', 6000)),
        genai: at(`${THINKING}.thinkingBudget`, 6000),
      }),
    ],
  },
  {
    name: 'much thinking within a small limit',
    in: {
      chat: ask.chat({ reasoning_effort: 'high', max_completion_tokens: 4000 }),
      genai: tune({ thinkingConfig: { thinkingLevel: 'HIGH' }, maxOutputTokens: 4000 }),
    },
    facts: [
      fact('that there is thinking', /reasoning|effort|thinking/i, {
        chat: either(at('reasoning_effort', /medium|high/), at('reasoning.max_tokens', between(1024, 4000))),
        messages: at('thinking.budget_tokens', between(1024, 4000)),
        genai: either(at(`${THINKING}.thinkingLevel`, /high/i), at(`${THINKING}.thinkingBudget`, between(1, 4000))),
      }),
      fact('room for the answer', /nothing/, {
        chat: at('max_completion_tokens', 4000),
        messages: both(at('max_tokens', 4000), at('thinking.budget_tokens', between(0, 3000))),
        genai: both(
          at('generationConfig.maxOutputTokens', 4000),
          either(at(`${THINKING}.thinkingLevel`, /high/i), at(`${THINKING}.thinkingBudget`, between(0, 3000))),
        ),
      }),
    ],
  },
  {
    name: 'no thinking',
    in: {
      chat: ask.chat({ reasoning_effort: 'none' }),
      messages: ask.messages({ thinking: { type: 'disabled' } }),
      genai: tune({ thinkingConfig: { thinkingBudget: 0 } }),
    },
    facts: [
      fact('that there is none', /reasoning|thinking/i, {
        chat: either(at('reasoning_effort', 'none'), at('reasoning.enabled', false), at('reasoning.effort', 'none')),
        messages: either(at('thinking.type', 'disabled'), (body) =>
          lacks('thinking', {})(body) === 'kept' ? 'kept' : 'wrong',
        ),
        genai: at(`${THINKING}.thinkingBudget`, 0),
      }),
    ],
  },
  {
    name: 'as much as the model likes',
    in: {
      messages: ask.messages({ thinking: { type: 'adaptive' } }),
      genai: tune({ thinkingConfig: { thinkingBudget: -1 } }),
    },
    facts: [
      fact('that the model chooses', /reasoning|thinking|dynamic/i, {
        chat: { perhaps: either(at('reasoning.enabled', true), at('reasoning_effort', 'medium')) },
        messages: at('thinking.type', 'adaptive'),
        genai: at(`${THINKING}.thinkingBudget`, -1),
      }),
    ],
  },
  {
    name: 'thoughts to be shown',
    in: { genai: tune({ thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } }) },
    facts: [
      fact('that there is thinking', /reasoning|thinking/i, {
        chat: either(at('reasoning.max_tokens', 2048), at('reasoning_effort', 'low')),
        messages: at('thinking.type', 'enabled'),
        genai: either(at(`${THINKING}.thinkingBudget`, 2048), at(`${THINKING}.thinkingLevel`, /low/i)),
      }),
    ],
  },
  {
    name: 'effort beside thinking',
    in: { messages: ask.messages({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }) },
    facts: [
      fact('the effort', /effort|reasoning/i, {
        chat: either(at('reasoning_effort', 'low'), at('reasoning.effort', 'low')),
        messages: either(at('output_config.effort', 'low'), at('thinking.budget_tokens', between(1024, 4096))),
        genai: either(at(`${THINKING}.thinkingLevel`, /low/i), at(`${THINKING}.thinkingBudget`, between(1024, 4096))),
      }),
    ],
  },
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
      }),
      fact('the signature', /reasoning|thinking|sign|seal/i, {
        chat: carries(SIGNATURE),
        messages: has('messages.*.content.*', { signature: SIGNATURE }),
        genai: carries(SIGNATURE),
      }),
    ],
  },
  {
    name: 'a signed thought, to another model',
    in: { messages: history.messages, genai: history.genai },
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
      }),
    ],
  },
]
