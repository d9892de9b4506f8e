import { describe, expect, it } from 'vitest'
import type { Card } from '../ir/model.ts'
import { ceilingOf, costOf } from './cost.ts'
import type { ProviderOptions } from './options.ts'
import { perCount, perSecond, usd, when } from './prices.ts'
import { defineProvider } from './provider.ts'

const card = (name: string, members: Partial<Card> = {}): Card => ({
  name,
  input: ['text'],
  output: ['text'],
  ...members,
})

const KNOWN: readonly Card[] = [
  card('red-1', { prices: usd({ prompt: [2, 4], completion: 20, input_cache_write_5_min: 3 }, [200]) }),
  card('red-2', {
    prices: usd({ prompt: 5, completion: 10, web_search: perCount(0.01) }),
    otherPrices: usd({ audio_input: 6 }),
    terms: [{ when: { speed: 'fast' }, prices: usd({ prompt: 99 }) }],
  }),
  card('red-film', {
    output: ['video'],
    prices: usd({ video: perSecond(0.05) }),
    otherPrices: usd({ video: [when(perSecond(0.08), { resolution: '4k' })] }),
  }),
  card('red-new'),
  card('blue-1', { prices: usd({ prompt: 100, completion: 100 }) }),
  card('green-1'),
  card('red-*'),
  card('*'),
]

function cards(options: ProviderOptions = {}) {
  const definition = { name: 'acme', baseURL: 'https://acme.example', endpoints: { chat: '.' }, models: KNOWN }
  const byName = new Map(defineProvider(definition, options).models.map((each) => [each.name, each]))
  return (name: string): Card => byName.get(name) ?? card('none')
}

describe('the ceiling of a card without prices', () => {
  it('has the highest price of its family for each item, over all sizes and conditions', () => {
    const highest = usd({
      prompt: 5,
      completion: 20,
      input_cache_read: 5,
      // red-2 has no price for them: they cost what its prompt costs.
      input_cache_write_5_min: 5,
      input_cache_write_1_h: 5,
      audio_input: 6,
      image_input: 5,
      video_input: 5,
      internal_reasoning: 20,
      image: 20,
      audio: 20,
      video: [usd({ video: 20 })['video'], perSecond(0.08)].flat().filter((each) => each !== undefined),
      web_search: perCount(0.01),
    })
    expect(cards()('red-*').ceiling).toEqual(highest)
    expect(cards()('red-new').ceiling).toEqual(highest)
  })

  it('is of all models for a bare star, and of none without a family that has prices', () => {
    expect(cards()('*').ceiling).toMatchObject(usd({ prompt: 100, completion: 100 }))
    expect(cards()('green-1').ceiling).toBeUndefined()
    expect(ceilingOf(cards()('green-1'), { input: 1 })).toBeUndefined()
    expect(ceilingOf(cards()('green-1'), {})).toBeUndefined()
  })

  it('is also that of a model which an operator adds, and uses the prices of the operator', () => {
    const added = cards({ models: ['red-9', card('red-mine', { prices: usd({ prompt: 999 }) })] })
    expect(added('red-9').ceiling).toMatchObject(usd({ prompt: 5 }))
    const changed = cards({ overrides: { 'red-2': { prices: usd({ prompt: 50 }) } } })
    expect(changed('red-*').ceiling).toMatchObject(usd({ prompt: 50 }))
  })

  it('is also that of a model whose prices an operator has removed', () => {
    const none = cards({ overrides: { 'red-film': { prices: { video: [] }, otherPrices: { video: [] } } } })
    expect(none('red-film').ceiling).toMatchObject(usd({ prompt: 5 }))
    expect(cards()('red-film').ceiling).toBeUndefined()
  })

  it('can be set, item by item', () => {
    const own = cards({
      overrides: { 'red-*': { ceiling: usd({ prompt: 1 }) }, 'green-1': { ceiling: usd({ prompt: 7 }) } },
    })
    expect(own('red-*').ceiling).toMatchObject(usd({ prompt: 1, completion: 20 }))
    expect(own('green-1').ceiling).toEqual(usd({ prompt: 7 }))
    const listed = cards({ models: [{ name: 'x', ceiling: usd({ prompt: 3 }) }] })
    expect(listed('x').ceiling).toEqual(usd({ prompt: 3 }))
  })

  it('has a version, and another one if it changes', () => {
    const version = cards()('red-*').priceVersion
    expect(version).toMatch(/^[0-9a-f]{16}$/)
    expect(cards({ overrides: { 'red-*': { ceiling: usd({ prompt: 1 }) } } })('red-*').priceVersion).not.toBe(version)
    expect(cards()('green-1').priceVersion).toBeUndefined()
  })
})

describe('what an answer costs at most', () => {
  it('is marked if a ceiling was used', () => {
    const pattern = cards()('red-*')
    expect(costOf(pattern, { input: 1000, output: 10 })).toBeUndefined()
    expect(ceilingOf(pattern, { input: 1000, output: 10, reasoning: 5, searches: 1, estimated: true })).toEqual({
      total: 5_000_000 + 200_000 + 10_000_000,
      items: [
        { name: 'prompt', quantity: 1000, nanos: 5_000_000 },
        { name: 'reasoning', quantity: 5, nanos: 100_000 },
        { name: 'completion', quantity: 5, nanos: 100_000 },
        { name: 'searches', quantity: 1, nanos: 10_000_000 },
      ],
      version: pattern.priceVersion,
      estimated: true,
      ceiling: true,
    })
  })

  it('is the price where there is one, and the ceiling for the rest', () => {
    const half = card('m', { prices: usd({ prompt: 1 }), ceiling: usd({ prompt: 9, completion: 7 }) })
    expect(ceilingOf(half, { input: 1000 })).toEqual({
      total: 1_000_000,
      items: [{ name: 'prompt', quantity: 1000, nanos: 1_000_000 }],
    })
    expect(ceilingOf(half, { input: 1000, output: 1000 })).toMatchObject({ total: 8_000_000, ceiling: true })
    expect(ceilingOf(half, { input: 1000, searches: 1 })).toBeUndefined()
    expect(costOf(half, { input: 1000, output: 1000 })).toMatchObject({ total: 1_000_000, unpriced: ['completion'] })
    expect(costOf(half, { input: 1000, output: 1000 })).not.toHaveProperty('ceiling')
  })

  it('is unknown under other terms, unless the card has a factor for them', () => {
    const us = { ...cards()('red-*'), terms: [{ when: { geo: 'us' }, factor: 1.1 }] }
    expect(ceilingOf(us, { input: 1000, geo: 'us' })).toMatchObject({ total: 5_500_000, ceiling: true })
    expect(ceilingOf(us, { input: 1000, speed: 'fast' })).toBeUndefined()
  })

  it('counts images and cached audio by the prices of the ceiling', () => {
    const drawing = card('m', {
      ceiling: { ...usd({ prompt: 1, audio_cache_read: 2, input_cache_read: 1 }), ...usd({ image: perCount(0.04) }) },
    })
    expect(ceilingOf(drawing, { images: 2 })?.total).toBe(80_000_000)
    const usage = { input: 10, cacheRead: 6, modalities: { input: { AUDIO: 4 }, cached: { AUDIO: 4 } } }
    expect(ceilingOf(drawing, usage)?.items).toEqual([
      { name: 'audio-cache-read', quantity: 4, nanos: 8000 },
      { name: 'cache-read', quantity: 2, nanos: 2000 },
      { name: 'prompt', quantity: 4, nanos: 4000 },
    ])
  })
})
