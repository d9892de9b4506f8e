import { fact, type Idea } from '../fact.ts'
import { at, both, either, lacks } from '../look.ts'
import { ask, tune } from '../wire/build.ts'

const THINKING = 'generationConfig.thinkingConfig'

const between = (low: number, high: number) => (value: unknown) => Number(value) >= low && Number(value) <= high

/** An effort and the budgets with about the same meaning. */
const effort = (word: string, low: number, high: number): Idea => ({
  name: `${word} effort`,
  in: {
    chat: ask.chat({ reasoning_effort: word, max_completion_tokens: 32_000 }),
    genai: tune({ thinkingConfig: { thinkingLevel: word.toUpperCase() }, maxOutputTokens: 32_000 }),
    responses: ask.responses({ reasoning: { effort: word }, max_output_tokens: 32_000 }),
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
      responses: at('reasoning.effort', word),
    }),
  ],
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
        responses: { perhaps: at('reasoning.effort', /^(medium|high)$/) },
      }),
    ],
  },
  {
    name: 'much thinking within a small limit',
    in: {
      chat: ask.chat({ reasoning_effort: 'high', max_completion_tokens: 4000 }),
      genai: tune({ thinkingConfig: { thinkingLevel: 'HIGH' }, maxOutputTokens: 4000 }),
      responses: ask.responses({ reasoning: { effort: 'high' }, max_output_tokens: 4000 }),
    },
    facts: [
      fact('that there is thinking', /reasoning|effort|thinking/i, {
        chat: either(at('reasoning_effort', /medium|high/), at('reasoning.max_tokens', between(1024, 4000))),
        messages: at('thinking.budget_tokens', between(1024, 4000)),
        genai: either(at(`${THINKING}.thinkingLevel`, /high/i), at(`${THINKING}.thinkingBudget`, between(1, 4000))),
        responses: at('reasoning.effort', /medium|high/),
      }),
      fact('room for the answer', /nothing/, {
        chat: at('max_completion_tokens', 4000),
        messages: both(at('max_tokens', 4000), at('thinking.budget_tokens', between(0, 3000))),
        genai: both(
          at('generationConfig.maxOutputTokens', 4000),
          either(at(`${THINKING}.thinkingLevel`, /high/i), at(`${THINKING}.thinkingBudget`, between(0, 3000))),
        ),
        responses: at('max_output_tokens', 4000),
      }),
    ],
  },
  {
    name: 'no thinking',
    in: {
      chat: ask.chat({ reasoning_effort: 'none' }),
      messages: ask.messages({ thinking: { type: 'disabled' } }),
      genai: tune({ thinkingConfig: { thinkingBudget: 0 } }),
      responses: ask.responses({ reasoning: { effort: 'none' } }),
    },
    facts: [
      fact('that there is none', /reasoning|thinking/i, {
        chat: either(at('reasoning_effort', 'none'), at('reasoning.enabled', false), at('reasoning.effort', 'none')),
        messages: either(at('thinking.type', 'disabled'), (body) =>
          lacks('thinking', {})(body) === 'kept' ? 'kept' : 'wrong',
        ),
        genai: at(`${THINKING}.thinkingBudget`, 0),
        responses: at('reasoning.effort', 'none'),
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
        responses: { perhaps: at('reasoning.effort', 'medium') },
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
        responses: at('reasoning.effort', 'low'),
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
        responses: at('reasoning.effort', 'low'),
      }),
    ],
  },
]
