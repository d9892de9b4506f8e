import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createOpenAI, fromEnvironment } from './index.ts'
import { models } from './models.ts'

describeProvider('openai', {
  create: createOpenAI,
  auth: BEARER,
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions' },
  listPath: '/v1/models',
  environment: { key: 'OPENAI_API_KEY', baseURL: 'OPENAI_BASE_URL', enable: fromEnvironment },
  model: 'gpt-5.5',
  requests: [
    {
      title: 'drops sampling settings while it reasons',
      protocol: 'chat',
      asks: { temperature: 0.5, top_p: 0.5, logprobs: true, presence_penalty: 1, frequency_penalty: 1 },
      lacks: ['temperature', 'top_p', 'logprobs', 'presence_penalty', 'frequency_penalty'],
      losses: [
        'dropped settings.temperature',
        'dropped settings.topP',
        'dropped settings.logprobs',
        'dropped settings.presencePenalty',
        'dropped settings.frequencyPenalty',
      ],
    },
    {
      title: 'has a new name for max_tokens',
      protocol: 'chat',
      asks: { max_tokens: 100 },
      sees: { max_completion_tokens: 100 },
      lacks: ['max_tokens'],
    },
    {
      title: 'forwards sampling settings unchanged without reasoning',
      protocol: 'chat',
      asks: { temperature: 0.5, reasoning_effort: 'none' },
      sees: { temperature: 0.5, reasoning_effort: 'none' },
    },
    {
      title: 'has no reasoning object',
      protocol: 'chat',
      from: 'messages',
      asks: { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 6000 } },
      sees: { reasoning_effort: 'high', max_completion_tokens: 9000 },
      lacks: ['reasoning', 'max_tokens'],
      losses: ['added reasoning.effort', 'dropped reasoning.budget', 'dropped reasoning.on'],
    },
    {
      title: 'has no highest effort before the newest models',
      protocol: 'chat',
      asks: { reasoning_effort: 'max' },
      sees: { reasoning_effort: 'xhigh' },
      losses: ['changed reasoning.effort'],
    },
    {
      title: 'has no lowest effort after the first models',
      protocol: 'chat',
      asks: { reasoning_effort: 'minimal' },
      sees: { reasoning_effort: 'low' },
      losses: ['changed reasoning.effort'],
    },
    {
      title: 'refuses stop sequences on the newest models',
      protocol: 'chat',
      model: 'gpt-5.6-sol',
      asks: { stop: 'a', reasoning_effort: 'max' },
      sees: { reasoning_effort: 'max' },
      lacks: ['stop'],
      losses: ['dropped settings.stop'],
    },
    {
      title: 'drops reasoning for a model without it',
      protocol: 'chat',
      model: 'gpt-4.1',
      asks: { reasoning_effort: 'high', temperature: 0.5 },
      sees: { temperature: 0.5 },
      lacks: ['reasoning_effort'],
      losses: ['dropped reasoning'],
    },
  ],
})

describe('the cards of OpenAI', () => {
  it('leave out models that exist only in the Responses API, and the video models that are gone', () => {
    const names = models.map(({ name }): string => name)
    expect(names).toContain('gpt-5.4-mini')
    expect(names.filter((name) => /pro$|codex|sora/.test(name))).toEqual([])
  })

  it('have prices in tiers', () => {
    const card = models.find(({ name }) => name === 'gpt-5.6-sol')
    expect(card?.prices.prompt).toEqual([
      expect.objectContaining({ value: 5, conditions: { prompt_tokens: { unit: 'kTokens', gte: 0, lt: 272 } } }),
      expect.objectContaining({ value: 10, conditions: { prompt_tokens: { unit: 'kTokens', gte: 272 } } }),
    ])
  })
})
