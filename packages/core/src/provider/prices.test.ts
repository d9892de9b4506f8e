import { describe, expect, it } from 'vitest'
import { perCount, perSecond, usd } from './prices.ts'

// The shapes are those of the model lists: spec 2.9.
describe('prices', () => {
  it('are per million tokens unless they have a unit of their own', () => {
    expect(usd({ prompt: 3, image: perCount(0.04), audio_and_video: perSecond(0.1) })).toEqual({
      prompt: [{ value: 3, unit: 'perMTokens', currency: 'USD' }],
      image: [{ value: 0.04, unit: 'perCount', currency: 'USD' }],
      audio_and_video: [{ value: 0.1, unit: 'perSecond', currency: 'USD' }],
    })
  })

  it('have tiers by the size of the prompt, the last without an end', () => {
    const tier = (value: number, range: object) => ({
      value,
      unit: 'perMTokens',
      currency: 'USD',
      conditions: { prompt_tokens: { unit: 'kTokens', ...range } },
    })
    expect(usd({ prompt: [2, 3, 4], completion: 12 }, [32, 128])).toEqual({
      prompt: [tier(2, { gte: 0, lt: 32 }), tier(3, { gte: 32, lt: 128 }), tier(4, { gte: 128 })],
      completion: [{ value: 12, unit: 'perMTokens', currency: 'USD' }],
    })
  })

  it('may be zero', () => {
    expect(usd({ prompt: 0 })['prompt']?.[0]?.value).toBe(0)
  })
})
