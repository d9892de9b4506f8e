import { describe, expect, it } from 'vitest'
import type { Card } from '../ir/model.ts'
import { priceVersion, perCount, perSecond, usd } from './prices.ts'
import { ceilingOf, costOf } from './cost.ts'

// The shapes are those of the model lists: spec 2.9.
describe('prices', () => {
  it('are per million tokens unless they have a unit of their own', () => {
    expect(usd({ prompt: 3, image: perCount(0.04), audio_and_video: perSecond(0.1) })).toEqual({
      prompt: [{ value: 3, unit: 'perMTokens', currency: 'USD' }],
      image: [{ value: 0.04, unit: 'perCount', currency: 'USD' }],
      audio_and_video: [{ value: 0.1, unit: 'perSecond', currency: 'USD' }],
    })
  })

  it('have tiers above sizes of the prompt, the last without an end', () => {
    const tier = (value: number, range: object) => ({
      value,
      unit: 'perMTokens',
      currency: 'USD',
      conditions: { prompt_tokens: { unit: 'kTokens', ...range } },
    })
    expect(usd({ prompt: [2, 3, 4], completion: 12 }, [32, 128])).toEqual({
      prompt: [tier(2, { gte: 0, lte: 32 }), tier(3, { gt: 32, lte: 128 }), tier(4, { gt: 128 })],
      completion: [{ value: 12, unit: 'perMTokens', currency: 'USD' }],
    })
  })

  it('may be zero', () => {
    expect(usd({ prompt: 0 })['prompt']?.[0]?.value).toBe(0)
  })
})

describe('the version of prices', () => {
  const version = (members: Partial<Card>) => priceVersion({ name: 'm', input: ['text'], output: ['text'], ...members })
  const prices = usd({ prompt: [2, 4], completion: 12 }, [200])

  it('is the same for the same prices, in any order', () => {
    const { prompt = [], completion = [] } = prices
    const turned = completion.map(({ value, unit, currency }) => ({ currency, unit, value }))
    expect(version({ prices: { completion: turned, prompt } })).toBe(version({ prices }))
    expect(version({ prices, context: 7 })).toBe(version({ prices }))
    expect(version({ prices })).toMatch(/^[0-9a-f]{16}$/)
  })

  it('is another for every change that changes a cost', () => {
    const versions = [
      version({ prices }),
      version({ prices: usd({ prompt: [2, 4.01], completion: 12 }, [200]) }),
      version({ prices: usd({ prompt: [2, 4], completion: 12 }, [128]) }),
      version({ prices: usd({ prompt: 2, completion: 12 }) }),
      version({ prices, otherPrices: usd({ audio_input: 1 }) }),
      version({ prices, documents: 'image' }),
    ]
    expect(new Set(versions).size).toBe(versions.length)
  })

  it('is missing without prices', () => {
    expect(version({})).toBeUndefined()
  })
})

const card = (members: Partial<Card>): Card => ({ name: 'm', input: ['text'], output: ['text'], ...members })

const prices = usd(
  { prompt: [2, 4], completion: [10, 15], input_cache_read: [0.2, 0.4], web_search: perCount(0.01) },
  [200],
)
const flex = usd({ prompt: [1, 2], completion: [5, 7.5], input_cache_read: [0.1, 0.2] }, [200])
const priced = card({
  prices,
  terms: [
    { when: { tier: 'flex' }, prices: flex },
    { when: { tier: ['batch', 'bulk'] }, factor: 0.5 },
    { when: { geo: 'us' }, factor: 1.1 },
  ],
})

describe('terms of a price', () => {
  it.each([
    {},
    { tier: 'standard' },
    { tier: 'default' },
    { tier: 'auto' },
    { tier: 'standard_only' },
    { tier: 'on_demand' },
    { tier: 'ON_DEMAND' },
    { speed: 'standard' },
    { geo: 'global' },
    { geo: 'not_available' },
  ])('are standard: %j', (terms) => {
    expect(costOf(priced, { input: 1000, output: 100, ...terms })?.total).toBe(3_000_000)
    expect(ceilingOf(priced, { input: 1000, output: 100, ...terms })).toMatchObject({ total: 3_000_000 })
  })

  it('have prices of their own, with tiers of size and cached tokens', () => {
    // 500 × $1 + 500 × $0.1 + 100 × $5 a million
    expect(costOf(priced, { input: 1000, cacheRead: 500, output: 100, tier: 'flex' })?.total).toBe(1_050_000)
    // 250,000 × $2 + 100 × $7.5
    expect(costOf(priced, { input: 250_000, output: 100, tier: 'Flex' })?.total).toBe(500_750_000)
  })

  it('have a factor of all token prices, and leave other units alone', () => {
    // (500 × $2 + 500 × $0.2 + 100 × $10) × 0.5, and two searches
    const usage = { input: 1000, cacheRead: 500, output: 100, searches: 2 }
    expect(costOf(priced, { ...usage, tier: 'bulk' })?.total).toBe(1_050_000 + 20_000_000)
    // 3 × $2 × 1.1 is 6.6 in binary fractions 6.6000000000000005
    expect(costOf(priced, { input: 3, geo: 'us' })?.total).toBe(6600)
    // 1 × $0.2 × 1.1 × 0.5 = 110 nanos; 5 of them 550
    expect(costOf(priced, { input: 5, cacheRead: 5, geo: 'us', tier: 'batch' })?.total).toBe(550)
    // a flex price with a factor
    expect(costOf(priced, { input: 1000, geo: 'us', tier: 'flex' })?.total).toBe(1_100_000)
  })

  it('without a price are unpriced, never standard and never free', () => {
    for (const terms of [{ tier: 'priority' }, { speed: 'fast' }, { geo: 'eu' }, { tier: 'flex', speed: 'fast' }]) {
      expect(costOf(priced, { input: 1000, output: 100, ...terms })).toBeUndefined()
      expect(ceilingOf(priced, { input: 1000, output: 100, ...terms })).toBeUndefined()
    }
    expect(costOf(priced, { input: 1000, searches: 1, tier: 'flex' })).toMatchObject({ unpriced: ['searches'] })
    expect(ceilingOf(priced, { input: 1000, searches: 1, tier: 'flex' })).toBeUndefined()
    expect(costOf(card({ prices }), { input: 1, tier: 'flex' })).toBeUndefined()
  })

  it('need all words of an entry, and the first entry with prices counts', () => {
    const both = card({
      prices,
      terms: [
        { when: { speed: 'fast', geo: 'us' }, prices: usd({ prompt: 7 }) },
        { when: { speed: 'fast' }, prices: usd({ prompt: 5 }) },
        { when: { tier: 'priority' }, prices: usd({ prompt: 3 }) },
      ],
    })
    expect(costOf(both, { input: 1, speed: 'fast', geo: 'us' })?.total).toBe(7000)
    expect(costOf(both, { input: 1, speed: 'fast' })?.total).toBe(5000)
    expect(costOf(both, { input: 1, geo: 'us' })).toBeUndefined()
    expect(costOf(both, { input: 1, speed: 'fast', tier: 'priority' })).toBeUndefined()
  })
})
