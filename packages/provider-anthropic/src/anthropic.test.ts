import { costOf, perCount, usd, type Card } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createAnthropic, fromEnvironment } from './index.ts'

describeProvider('anthropic', {
  create: createAnthropic,
  auth: { header: 'x-api-key' },
  basePath: '',
  paths: { messages: '/v1/messages' },
  listPath: '/v1/models',
  environment: { key: 'ANTHROPIC_API_KEY', baseURL: 'ANTHROPIC_BASE_URL', enable: fromEnvironment },
  model: 'claude-sonnet-4.5',
  requests: [
    {
      title: 'relays a request that needs no change, with thinking',
      protocol: 'messages',
      asks: { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 }, x_mine: 1 },
      sees: { model: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 2000 }, x_mine: 1 },
    },
    {
      title: 'keeps one of temperature and top_p',
      protocol: 'messages',
      asks: { temperature: 0.5, top_p: 0.5 },
      sees: { temperature: 0.5 },
      lacks: ['top_p'],
      losses: ['dropped settings.topP'],
    },
    {
      title: 'has an effort on models that decide how much to think',
      protocol: 'messages',
      model: 'claude-opus-4.8',
      asks: { max_tokens: 20_000, thinking: { type: 'enabled', budget_tokens: 9000 } },
      sees: { model: 'claude-opus-4-8', thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      losses: ['added reasoning.effort', 'dropped reasoning.budget', 'changed reasoning.on'],
    },
    {
      title: 'keeps a budget on a model that has both',
      protocol: 'messages',
      from: 'chat',
      model: 'claude-sonnet-4.6',
      asks: { reasoning: { max_tokens: 9000 }, max_completion_tokens: 20_000 },
      sees: { thinking: { type: 'enabled', budget_tokens: 9000 } },
      lacks: ['output_config'],
      losses: ['changed reasoning'],
    },
    {
      title: 'relays a budget for a model that has both',
      protocol: 'messages',
      model: 'claude-sonnet-4.6',
      asks: { max_tokens: 20_000, thinking: { type: 'enabled', budget_tokens: 9000 } },
      sees: { thinking: { type: 'enabled', budget_tokens: 9000 } },
    },
    {
      title: 'lowers an effort that the model does not have',
      protocol: 'messages',
      from: 'chat',
      model: 'claude-sonnet-4.6',
      asks: { reasoning_effort: 'xhigh' },
      sees: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      losses: ['changed reasoning.effort', 'added reasoning.on'],
    },
    {
      title: 'keeps the efforts that the model has',
      protocol: 'messages',
      from: 'chat',
      model: 'claude-opus-4.7',
      asks: { reasoning_effort: 'xhigh', max_completion_tokens: 20_000 },
      sees: { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
      losses: ['added reasoning.on'],
    },
    {
      title: 'has a budget on models without efforts',
      protocol: 'messages',
      model: 'claude-haiku-4.5',
      asks: { max_tokens: 20_000, thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      sees: { thinking: { type: 'enabled', budget_tokens: 10_240 } },
      lacks: ['output_config'],
      losses: ['changed reasoning'],
    },
    {
      title: 'turns thinking off on models that think by default',
      protocol: 'messages',
      from: 'chat',
      model: 'claude-sonnet-5',
      asks: { reasoning_effort: 'none' },
      sees: { thinking: { type: 'disabled' } },
    },
    {
      title: 'has no sampling settings on the newest models',
      protocol: 'messages',
      model: 'claude-opus-5',
      asks: { temperature: 0.5, top_k: 5 },
      lacks: ['temperature', 'top_k'],
      losses: ['dropped settings.temperature', 'dropped settings.topK'],
    },
    {
      title: 'lowers the highest efforts without thinking on the newest models',
      protocol: 'messages',
      model: 'claude-opus-5',
      asks: { thinking: { type: 'disabled' }, output_config: { effort: 'max' } },
      sees: { thinking: { type: 'disabled' }, output_config: { effort: 'high' } },
      losses: ['changed extras.messages.output_config.effort'],
    },
    {
      title: 'cannot stop a model that always thinks, and cannot force it to use a tool',
      protocol: 'messages',
      model: 'claude-sonnet-5.5',
      asks: {
        thinking: { type: 'disabled' },
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
        tool_choice: { type: 'any' },
        temperature: 0.5,
      },
      sees: { model: 'claude-sonnet-5-5', output_config: { effort: 'low' }, tool_choice: { type: 'auto' } },
      lacks: ['temperature'],
      losses: [
        'added reasoning.effort',
        'changed reasoning.on',
        'dropped settings.temperature',
        'changed toolChoice.mode',
      ],
    },
    {
      title: 'relays what Claude Code asks of its default model',
      protocol: 'messages',
      model: 'claude-sonnet-5.5',
      asks: { max_tokens: 32_000, thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' }, x_mine: 1 },
      sees: { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' }, x_mine: 1 },
    },
    {
      title: 'relays everything to a model of which only the name is known',
      protocol: 'messages',
      model: 'claude-fable-5.2',
      asks: { temperature: 0.5, thinking: { type: 'disabled' }, tool_choice: { type: 'auto' } },
      sees: { model: 'claude-fable-5-2', temperature: 0.5, thinking: { type: 'disabled' } },
    },
  ],
})

describe('the cards of Anthropic', () => {
  it("have the upstream's name of the model, and prices for both kinds of cache writes", () => {
    const card = createAnthropic({ keys: 'sk-1' }).models.find(({ name }) => name === 'claude-sonnet-4.6')
    expect(card).toMatchObject({ upstream: 'claude-sonnet-4-6', reasoning: { min: 1024 } })
    expect(Object.keys(card?.prices ?? {})).toEqual(
      expect.arrayContaining(['input_cache_write_5_min', 'input_cache_write_1_h']),
    )
  })

  it('have no price that the vendor does not state: a fast mode of one model alone, a region, a model that is not listed', () => {
    const { models } = createAnthropic({ keys: 'sk-1' })
    const byName = new Map(models.map((card) => [card.name, card]))
    const cardOf = (name: string): Card => byName.get(name) ?? { name, input: [], output: [] }
    const usage = { input: 1000, output: 100 }
    expect(costOf(cardOf('claude-haiku-4.5'), usage)).toMatchObject({ total: 1_500_000 })
    expect(costOf(cardOf('claude-haiku-4.5'), { ...usage, speed: 'fast' })).toBeUndefined()
    expect(costOf(cardOf('claude-haiku-4.5'), { ...usage, geo: 'us' })).toBeUndefined()
    expect(costOf(cardOf('claude-opus-5'), { ...usage, tier: 'priority' })).toBeUndefined()
    expect(costOf(cardOf('claude-*'), usage)).toBeUndefined()
  })

  it.each(['claude-fable-5.2', 'claude-mythos-preview'])(
    'have no price of another model: %s has only the ceiling of its family',
    (wanted) => {
      const card = createAnthropic({ keys: 'sk-1' }).models.find(({ name }) => name === wanted)
      expect(card?.prices).toBeUndefined()
      expect(card?.ceiling).toMatchObject(usd({ prompt: 10, completion: 50 }))
      expect(card).not.toHaveProperty('context')
    },
  )

  it('that are not listed cost at most what the dearest model costs', () => {
    const pattern = createAnthropic({ keys: 'sk-1' }).models.find(({ name }) => name === 'claude-*')
    // Fable 5: $10, $1, $12.50, $20 and $50 a million tokens; every search $0.01.
    expect(pattern?.ceiling).toMatchObject(
      usd({
        prompt: 10,
        input_cache_read: 1,
        input_cache_write_5_min: 12.5,
        input_cache_write_1_h: 20,
        completion: 50,
        web_search: perCount(0.01),
      }),
    )
  })
})
