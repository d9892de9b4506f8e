import { describe, expect, it } from 'vitest'
import type { Card } from '../ir/model.ts'
import { priceVersion, perCount, perSecond, usd } from './prices.ts'

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
