import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createOpenAI, fromEnvironment } from './index.ts'
import { models } from './models.ts'

describeProvider('openai', {
  create: createOpenAI,
  auth: BEARER,
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions', responses: '/v1/responses' },
  listPath: '/v1/models',
  environment: { key: 'OPENAI_API_KEY', baseURL: 'OPENAI_BASE_URL', enable: fromEnvironment },
  model: 'gpt-5.5',
  requests: [
    {
      title: 'drops sampling settings while it reasons, also in Responses',
      protocol: 'responses',
      asks: { temperature: 0.5, top_p: 0.5, reasoning: { effort: 'high' } },
      sees: { store: false, include: ['reasoning.encrypted_content'], reasoning: { effort: 'high' } },
      lacks: ['temperature', 'top_p'],
      losses: ['dropped settings.temperature', 'dropped settings.topP'],
    },
    {
      title: 'serves chat clients with a model that only Responses has',
      protocol: 'responses',
      from: 'chat',
      model: 'gpt-5.3-codex',
      asks: { reasoning_effort: 'high', max_completion_tokens: 100 },
      sees: { store: false, max_output_tokens: 100 },
      lacks: ['messages', 'max_completion_tokens'],
    },
    {
      title: 'serves messages clients with a model that only Responses has',
      protocol: 'responses',
      from: 'messages',
      model: 'gpt-5.5-pro',
      asks: { max_tokens: 9000 },
      sees: { store: false, include: ['reasoning.encrypted_content'], max_output_tokens: 9000 },
      lacks: ['messages', 'max_tokens'],
    },
    {
      title: 'cannot stop a coding model from reasoning',
      protocol: 'responses',
      model: 'gpt-5.3-codex',
      asks: { reasoning: { effort: 'none' }, temperature: 0.5 },
      sees: { reasoning: { effort: 'low' } },
      lacks: ['temperature'],
      losses: ['added reasoning.effort', 'dropped reasoning.on', 'dropped settings.temperature'],
    },
    {
      title: 'has no effort below medium for a pro model',
      protocol: 'responses',
      from: 'chat',
      model: 'gpt-5.5-pro',
      asks: { reasoning_effort: 'low' },
      sees: { reasoning: { effort: 'medium' } },
      losses: ['changed reasoning.effort'],
    },
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
    {
      title: 'always reasons with the newest model, and has tools for chat clients in Responses',
      protocol: 'responses',
      from: 'chat',
      model: 'gpt-6-astra',
      asks: {
        reasoning_effort: 'none',
        tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
      },
      sees: { reasoning: { effort: 'low' } },
      lacks: ['messages'],
      losses: ['added reasoning.effort', 'dropped reasoning.on', 'added tools.0.strict'],
    },
    {
      title: 'keeps the highest effort of the newest models',
      protocol: 'responses',
      model: 'gpt-6.1-terra',
      asks: { reasoning: { effort: 'max' } },
      sees: { reasoning: { effort: 'max' } },
    },
  ],
})

describe('the cards of OpenAI', () => {
  it('leave out the video models that are gone', () => {
    const names = models.map(({ name }): string => name)
    expect(names).toContain('gpt-5.4-mini')
    expect(names.filter((name) => name.includes('sora'))).toEqual([])
  })

  it('say which API is better for a model, and which it has alone', () => {
    const { models: cards } = createOpenAI({ keys: ['k'] })
    const protocolsOf = (wanted: string) => cards.find(({ name }) => name === wanted)?.protocols
    expect(protocolsOf('gpt-5.5')).toEqual(['responses', 'chat'])
    expect(protocolsOf('gpt-4.1')).toEqual(['chat', 'responses'])
    for (const name of ['gpt-5.5-pro', 'gpt-5.3-codex']) expect(protocolsOf(name)).toEqual(['responses'])
    for (const name of ['gpt-image-2', 'text-embedding-3-small']) expect(protocolsOf(name)).toEqual(['chat'])
  })

  it('have prices in tiers', () => {
    const card = models.find(({ name }) => name === 'gpt-5.6-sol')
    expect(card?.prices.prompt).toEqual([
      expect.objectContaining({ value: 5, conditions: { prompt_tokens: { unit: 'kTokens', gte: 0, lte: 272 } } }),
      expect.objectContaining({ value: 10, conditions: { prompt_tokens: { unit: 'kTokens', gt: 272 } } }),
    ])
  })
})
