import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Card } from '../ir/model.ts'
import { costOf, largeNanos, nanosOf } from './cost.ts'
import { perCount, perMegapixel, perSecond, usd, when } from './prices.ts'
import type { Billed } from '../ir/billed.ts'
import { bucketsOf, INPUT_BUCKETS, OUTPUT_BUCKETS } from './priced-items.ts'

const card = (members: Partial<Card>): Card => ({ name: 'm', input: ['text'], output: ['text'], ...members })
const nanos = (usage: Billed, members: Partial<Card>): { readonly [name: string]: number } =>
  Object.fromEntries(costOf(card(members), usage)?.items.map((item) => [item.name, item.nanos]) ?? [])

// Claude Sonnet 4.5, in the catalogue.
const SONNET = usd({
  prompt: 3,
  completion: 15,
  input_cache_read: 0.3,
  input_cache_write_5_min: 3.75,
  input_cache_write_1_h: 6,
  web_search: perCount(0.01),
})

describe('the cost of an answer', () => {
  it('has an item for each price of its card', () => {
    const usage = { input: 1000, cacheRead: 200, cacheWrite5m: 100, cacheWrite1h: 50, output: 500, searches: 2 }
    expect(costOf(card({ prices: SONNET }), usage)).toEqual({
      total: 30_185_000,
      items: [
        { name: 'cache-read', quantity: 200, nanos: 60_000 },
        { name: 'cache-write-5m', quantity: 100, nanos: 375_000 },
        { name: 'cache-write-1h', quantity: 50, nanos: 300_000 },
        { name: 'prompt', quantity: 650, nanos: 1_950_000 },
        { name: 'completion', quantity: 500, nanos: 7_500_000 },
        { name: 'searches', quantity: 2, nanos: 20_000_000 },
      ],
    })
  })

  it('has the tier of the whole prompt, cached tokens included, for all items', () => {
    const prices = usd({ prompt: [2.5, 5], completion: [15, 22.5], input_cache_read: [0.25, 0.5] }, [272])
    expect(nanos({ input: 272_000, cacheRead: 271_000, output: 10 }, { prices })).toEqual({
      'cache-read': 67_750_000,
      prompt: 2_500_000,
      completion: 150_000,
    })
    expect(nanos({ input: 272_001, cacheRead: 271_000, output: 10 }, { prices })).toEqual({
      'cache-read': 135_500_000,
      prompt: 5_005_000,
      completion: 225_000,
    })
  })

  it('has one search for an answer with any, where its upstream bills them so', () => {
    const prices = usd({ web_search: perCount(0.035) })
    expect(nanos({ searches: 3 }, { prices })).toEqual({ searches: 105_000_000 })
    expect(nanos({ searches: 3 }, { prices, searches: 'once' })).toEqual({ searches: 35_000_000 })
    expect(nanos({ searches: 0 }, { prices, searches: 'once' })).toEqual({})
  })

  it('begins a tier after its size, also where a thousandth of it is no binary fraction', () => {
    const prices = usd({ prompt: [1, 2] }, [1.001])
    expect(nanos({ input: 1001 }, { prices })).toEqual({ prompt: 1_001_000 })
    expect(nanos({ input: 1002 }, { prices })).toEqual({ prompt: 2_004_000 })
  })

  it('has tiers by the size of the completion, and null is no upper bound', () => {
    const range = (limits: object) => ({ conditions: { completion_tokens: { unit: 'kTokens', ...limits } } })
    const price = { unit: 'perMTokens', currency: 'USD' } as const
    const completion = [
      { ...price, value: 1, ...range({ gt: 0, lte: 1 }) },
      { ...price, value: 2, ...range({ gt: 1, lt: null }) },
    ]
    expect(nanos({ output: 1000 }, { prices: { completion } })).toEqual({ completion: 1_000_000 })
    expect(nanos({ output: 1001 }, { prices: { completion } })).toEqual({ completion: 2_002_000 })
  })

  it('is rounded once per item, half up, without errors of binary fractions', () => {
    expect(nanos({ input: 1, output: 1 }, { prices: usd({ prompt: 1.0005, completion: 0.0375 }) })).toEqual({
      prompt: 1001,
      completion: 38,
    })
    expect(nanos({ input: 3 }, { prices: usd({ prompt: 1e-7 }) })).toEqual({ prompt: 0 })
    expect(nanos({ input: 1_000_003 }, { prices: usd({ prompt: 0.0005 }) })).toEqual({ prompt: 500_002 })
  })

  it('falls back to the plain price for tokens without a price of their own', () => {
    const prices = usd({ prompt: 1, completion: 2, input_cache_write: 4 })
    const usage = { input: 60, cacheRead: 10, cacheWrite5m: 20, cacheWrite1h: 30, output: 50, reasoning: 40 }
    expect(nanos(usage, { prices })).toEqual({
      'cache-read': 10_000,
      'cache-write-5m': 80_000,
      'cache-write-1h': 120_000,
      reasoning: 80_000,
      completion: 20_000,
    })
  })

  it('has the prices of modalities, and of hidden reasoning', () => {
    const prices = usd({ prompt: 1, completion: 2, internal_reasoning: 3, image: 30, audio: 20 })
    const otherPrices = usd({ audio_input: 5, image_input: 8 })
    const modalities = {
      input: { TEXT: 50, AUDIO: 30, IMAGE: 20 },
      cached: { AUDIO: 10 },
      output: { IMAGE: 7, AUDIO: 3 },
    }
    const usage = { input: 100, cacheRead: 10, output: 100, reasoning: 40, modalities }
    expect(nanos(usage, { prices, otherPrices })).toEqual({
      'cache-read': 10_000,
      'audio-input': 100_000,
      'image-input': 160_000,
      prompt: 50_000,
      reasoning: 120_000,
      'audio-output': 60_000,
      'image-output': 210_000,
      completion: 100_000,
    })
  })

  // The prices of media models in the catalogue: gpt-image-1.5, Imagen 4, Gemini 3 Pro Image, Veo 3.1 Fast, Runway Gen-4 Turbo.
  it.each([
    [
      'image tokens',
      {
        prices: usd({ prompt: 5, completion: 10, input_cache_read: 1.25, image: 32 }),
        otherPrices: usd({ image_input: 8 }),
      },
      { input: 300, output: 1056, images: 1, modalities: { input: { image: 200 }, output: { image: 1056 } } },
      { 'image-input': 1_600_000, prompt: 500_000, 'image-output': 33_792_000 },
    ],
    ['images', { prices: usd({ image: perCount(0.04) }) }, { images: 3 }, { images: 120_000_000 }],
    [
      'images whose tokens are unknown',
      { prices: usd({ image: 120 }), otherPrices: usd({ image_per_count_default_size: perCount(0.134) }) },
      { images: 2 },
      { images: 268_000_000 },
    ],
    [
      'video with sound',
      { prices: usd({ audio_and_video: perSecond(0.15) }) },
      { audioVideoSeconds: 8 },
      { 'audio-video-seconds': 1_200_000_000 },
    ],
    [
      'silent video',
      { prices: usd({ video: perSecond(0.05) }) },
      { videoSeconds: 5.5 },
      { 'video-seconds': 275_000_000 },
    ],
  ])('has prices for %s', (_what, members, usage, items) => {
    expect(nanos(usage, members)).toEqual(items)
  })

  // gpt-image-2 on OpenAI's price list, per million tokens: text 5, cached 1.25, output 10; images 8, cached 2, output 30.
  const GPT_IMAGE: Partial<Card> = {
    output: ['image'],
    prices: usd({ prompt: 5, completion: 10, input_cache_read: 1.25, image: 30 }),
    otherPrices: usd({ image_input: 8, image_cache_read: 2 }),
  }

  it('has five prices for the tokens of gpt-image', () => {
    const modalities = {
      input: { text: 150, image: 850 },
      cached: { text: 50, image: 250 },
      output: { image: 4160, text: 40 },
    }
    expect(nanos({ input: 1000, cacheRead: 300, output: 4200, images: 1, modalities }, GPT_IMAGE)).toEqual({
      'image-cache-read': 500_000, // 250 x 2
      'cache-read': 62_500, // 50 x 1.25
      'image-input': 4_800_000, // 600 x 8
      prompt: 500_000, // 100 x 5
      'image-output': 124_800_000, // 4160 x 30
      completion: 400_000, // 40 x 10
    })
  })

  it('takes the output of a model that draws and does not write for image tokens', () => {
    const usage = { input: 50, output: 1056, images: 1, modalities: { input: { text: 50, image: 0 } } }
    expect(nanos(usage, GPT_IMAGE)).toEqual({ prompt: 250_000, 'image-output': 31_680_000 })
    expect(nanos(usage, { ...GPT_IMAGE, output: ['text', 'image'] })).toEqual({
      prompt: 250_000,
      completion: 10_560_000,
    })
  })

  // Gemini 3 Pro Image on Google's price list: 2 and 12 for text, 120 for image output: 1120 tokens or 0.1344 dollars at 1K and 2K.
  it('has a price for the image tokens of Gemini beside those of its text and thoughts', () => {
    const usage = {
      input: 560 + 40,
      output: 1120 + 200 + 30,
      reasoning: 200,
      images: 1,
      modalities: { input: { TEXT: 40, IMAGE: 560 }, output: { IMAGE: 1120 } },
    }
    expect(nanos(usage, { output: ['text', 'image'], prices: usd({ prompt: 2, completion: 12, image: 120 }) })).toEqual(
      {
        'image-input': 1_120_000,
        prompt: 80_000,
        reasoning: 2_400_000,
        'image-output': 134_400_000,
        completion: 360_000,
      },
    )
  })

  // FLUX.2 [pro]: 0.03 for the first megapixel of an image and 0.015 for each further one: 0.03, 0.045, 0.075.
  it('has a price for the megapixels of an image after the first', () => {
    const members = {
      prices: usd({ image: perCount(0.03) }),
      otherPrices: usd({ image_further_megapixel: perMegapixel(0.015) }),
    }
    const cost = (...pixels: number[]) => costOf(card(members), { images: pixels.length, pixels })?.total
    expect(cost(1024 * 1024)).toBe(30_000_000)
    expect(cost(512 * 512)).toBe(30_000_000)
    expect(cost(1920 * 1080)).toBe(45_000_000)
    expect(cost(2048 * 2048)).toBe(75_000_000)
    expect(cost(1024 * 1024, 1920 * 1080)).toBe(75_000_000)
    expect(costOf(card(members), { images: 2 })?.total).toBe(60_000_000)
  })

  it('has a price for all megapixels, instead of one for the image', () => {
    const members = { prices: {}, otherPrices: usd({ image_megapixel: perMegapixel(0.025) }) }
    expect(nanos({ images: 2, pixels: [1024 * 1024, 1920 * 1080] }, members)).toEqual({ megapixels: 75_000_000 })
  })

  // Veo 3.1 Lite: 0.05 a second at 720p, 0.08 at 1080p.
  it('has the price of the resolution, and the listed one if that is unknown', () => {
    const members = {
      prices: usd({ audio_and_video: perSecond(0.05) }),
      otherPrices: usd({ audio_and_video: [when(perSecond(0.08), { resolution: ['1080p', '1440p'] })] }),
    }
    const total = (resolution?: string) =>
      costOf(card(members), { audioVideoSeconds: 8, ...(resolution === undefined ? {} : { resolution }) })?.total
    expect(total('720p')).toBe(400_000_000)
    expect(total('1080P')).toBe(640_000_000)
    expect(total()).toBe(400_000_000)
  })

  it('has the price of a quality and of a size', () => {
    const image = (value: number, quality: string, size: string) => when(perCount(value), { quality, size })
    const otherPrices = usd({ image: [image(0.011, 'low', '1024x1024'), image(0.25, 'high', '1536x1024')] })
    const members = { prices: {}, otherPrices }
    expect(nanos({ images: 2, quality: 'low', size: '1024x1024' }, members)).toEqual({ images: 22_000_000 })
    expect(nanos({ images: 1, quality: 'high', size: '1536x1024' }, members)).toEqual({ images: 250_000_000 })
    expect(costOf(card(members), { images: 1, quality: 'high', size: '1024x1024' })).toBeUndefined()
  })

  it('names the version of the prices', () => {
    expect(costOf(card({ prices: SONNET, priceVersion: 'v7' }), { input: 1 })).toMatchObject({ version: 'v7' })
  })

  it('counts documents as images where the card says so', () => {
    const members = { prices: usd({ prompt: 1 }), otherPrices: usd({ image_input: 8 }) }
    const usage = { input: 100, modalities: { input: { TEXT: 40, DOCUMENT: 60 } } }
    expect(nanos(usage, members)).toEqual({ prompt: 100_000 })
    expect(nanos(usage, { ...members, documents: 'image' })).toEqual({ 'image-input': 480_000, prompt: 40_000 })
  })

  it('is unknown without prices, names what has no price, and is marked if it was estimated', () => {
    expect(costOf(card({}), { input: 1 })).toBeUndefined()
    expect(costOf(card({ prices: usd({ completion: 1 }) }), { input: 1 })).toBeUndefined()
    expect(costOf(card({ prices: usd({ prompt: 1 }) }), { input: 1, output: 2, searches: 3, estimated: true })).toEqual(
      {
        total: 1000,
        items: [{ name: 'prompt', quantity: 1, nanos: 1000 }],
        unpriced: ['completion', 'searches'],
        estimated: true,
      },
    )
    expect(costOf(card({ prices: usd({ prompt: 0 }) }), { input: 1 })).toMatchObject({ total: 0 })
  })
})

it('without a total, the tokens are those of the details', () => {
  const buckets = bucketsOf({ cacheRead: 3, cacheWrite1h: 2, reasoning: 4 }, card({}), () => false)
  expect(buckets).toEqual({ 'cache-read': 3, 'cache-write-1h': 2, reasoning: 4 })
})

describe('for every usage that an upstream can report', () => {
  const count = fc.option(fc.oneof(fc.nat({ max: 2_000_000 }), fc.constantFrom(-1, NaN, 0.4, 1.5)), { nil: undefined })
  const counts = fc.dictionary(
    fc.constantFrom('TEXT', 'IMAGE', 'AUDIO', 'VIDEO', 'DOCUMENT'),
    fc.nat({ max: 1_000_000 }),
  )
  const modalities = fc.record({ input: counts, output: counts, cached: counts })
  const total = fc.oneof(fc.nat({ max: 2_000_000 }), fc.constantFrom(-1, NaN, 0.4, 1.5))
  const usages = fc.record({
    input: total,
    output: total,
    cacheRead: count,
    cacheWrite5m: count,
    cacheWrite1h: count,
    reasoning: count,
    searches: fc.nat({ max: 9 }),
    images: fc.nat({ max: 9 }),
    pixels: fc.array(fc.nat({ max: 17_000_000 }), { maxLength: 4 }),
    videoSeconds: fc.double({ min: 0, max: 60, noNaN: true }),
    audioVideoSeconds: fc.nat({ max: 60 }),
    modalities,
  }) as fc.Arbitrary<Billed>
  const cards = fc.constantFrom(
    card({ prices: SONNET }),
    card({ prices: usd({ prompt: [0.1, 0.2], completion: 0.3 }, [200]), documents: 'image' }),
    card({ prices: usd({ completion: 0.00123 }) }),
    card({
      prices: usd({ image: perCount(0.03) }),
      otherPrices: usd({ image_further_megapixel: perMegapixel(0.015), image_cache_read: 2 }),
    }),
    card({ prices: usd({ image: perCount(0.04), video: perSecond(0.05), audio_and_video: perSecond(0.15) }) }),
  )

  it('every token is in exactly one bucket, and none is negative', () => {
    fc.assert(
      fc.property(usages, cards, (usage, each) => {
        const buckets = bucketsOf(usage, each, (price) => each.otherPrices?.[price] !== undefined)
        const sum = (names: readonly (keyof typeof buckets)[]) =>
          names.reduce((all, name) => all + (buckets[name] ?? 0), 0)
        for (const tokens of Object.values(buckets)) expect(Number.isSafeInteger(tokens) && tokens > 0).toBe(true)
        expect(sum(INPUT_BUCKETS)).toBe(whole(usage.input))
        expect(sum(OUTPUT_BUCKETS)).toBe(whole(usage.output))
      }),
    )
  })

  it('the total is the sum of whole, positive items', () => {
    fc.assert(
      fc.property(usages, cards, (usage, each) => {
        const cost = costOf(each, usage)
        const items = cost?.items ?? []
        for (const { nanos } of items) expect(Number.isSafeInteger(nanos) && nanos >= 0).toBe(true)
        expect(cost?.total ?? 0).toBe(items.reduce((all, { nanos }) => all + nanos, 0))
      }),
    )
  })
})

describe('whatever an upstream has counted', () => {
  const numbers = fc.oneof(
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom(1e308, -1e308, 1e300, 1e21, 0.5, -1, -0, 5e-324, Number.MAX_VALUE, Number.NaN, Infinity, -Infinity),
  )
  const maybe = fc.option(numbers, { nil: undefined })
  const counts = fc.record({ audio: numbers, IMAGE: numbers, video: numbers, document: numbers }, { requiredKeys: [] })
  const usages = fc.record({
    input: maybe,
    output: maybe,
    cacheRead: maybe,
    cacheWrite5m: maybe,
    cacheWrite1h: maybe,
    reasoning: maybe,
    searches: maybe,
    images: maybe,
    videoSeconds: maybe,
    audioVideoSeconds: maybe,
    pixels: fc.array(numbers, { maxLength: 3 }),
    modalities: fc.record({ input: counts, output: counts, cached: counts }, { requiredKeys: [] }),
  })
  const prices = {
    ...SONNET,
    ...usd({ audio_input: 1e6, image_input: 0.000_000_1, image: perCount(0.02), video: perSecond(500) }),
    ...usd({ audio_and_video: perSecond(0.1), image_further_megapixel: perMegapixel(0.003) }),
  }

  it('its price is a whole number of nano-dollars within bounds, and the sum of its items', () => {
    fc.assert(
      fc.property(usages, (usage) => {
        const billed = Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined))
        const { total, items } = costOf(card({ prices }), billed) ?? { total: 0, items: [] }
        for (const { nanos, quantity } of items) {
          expect(Number.isSafeInteger(nanos) && nanos >= 0 && nanos <= 1e14).toBe(true)
          expect(Number.isFinite(quantity) && quantity > 0).toBe(true)
        }
        expect(total).toBe(items.reduce((all, { nanos }) => all + nanos, 0))
        expect(Number.isSafeInteger(total)).toBe(true)
      }),
      { numRuns: Number(process.env['DRAGOMAN_RUNS'] ?? 100) * 10 },
    )
  })
})

it('large integers and small ones give the same price', () => {
  const values = fc.oneof(
    fc.nat({ max: 1e9 }).map((micros) => micros / 1e6),
    fc.nat({ max: 1e9 }).map((picos) => picos / 1e12),
  )
  const units = fc.constantFrom('perMTokens' as const, 'perCount' as const, 'perMegapixel' as const)
  fc.assert(
    fc.property(fc.nat({ max: 100_000_000 }), values, units, (quantity, value, unit) => {
      const price = { value, unit, currency: 'USD' } as const
      expect(nanosOf(quantity, price)).toBe(largeNanos(quantity, price))
    }),
    { numRuns: 2000 },
  )
})

function whole(tokens = 0): number {
  return tokens > 0 ? Math.round(tokens) : 0
}
