import type { Card, Price } from '../ir/model.ts'
import type { Usage } from '../ir/usage.ts'
import { nanosOf } from './exact-price.ts'
import { applies, type PriceFacts } from './price-conditions.ts'
import { bucketsOf, INPUT_BUCKETS, OUTPUT_BUCKETS, type Bucket, type Buckets } from './token-buckets.ts'

/** The price of an answer, item by item, in nano-dollars: billionths of a US dollar, always whole numbers. */
export interface Cost {
  readonly total: number
  readonly items: readonly CostItem[]
  /** The version of the prices, from the card. */
  readonly version?: string
  /** What the card has no price for. It is not in the total. */
  readonly unpriced?: readonly CostName[]
  /** The usage was estimated, not reported by the upstream. */
  readonly estimated?: true
}

/** What one kind of token, or everything that was counted in another unit, costs. */
export interface CostItem {
  readonly name: CostName
  /** Tokens, searches, images, megapixels or seconds. */
  readonly quantity: number
  readonly nanos: number
}

/** The nano-dollars of all items, of those of the prompt, and of those of the output. */
export function sidesOf({ total, items }: Cost): CostSides {
  const sum = (buckets: readonly string[]): number =>
    items.reduce((all, { name, nanos }) => (buckets.includes(name) ? all + nanos : all), 0)
  return { total, input: sum(INPUT_BUCKETS), output: sum(OUTPUT_BUCKETS) }
}

/** In nano-dollars. The total includes what is on neither side, such as searches. */
export interface CostSides {
  readonly total: number
  readonly input: number
  readonly output: number
}

/** What an answer can be billed for: the usage of a conversation, and what media models count instead of tokens. */
export interface Billed extends Usage, PriceFacts {
  /** Images of the answer. Billed only if their tokens are not. */
  readonly images?: number
  /** The number of pixels of each image. */
  readonly pixels?: readonly number[]
  /** Seconds of video without sound. */
  readonly videoSeconds?: number
  /** Seconds of video with sound. */
  readonly audioVideoSeconds?: number
}

/** A kind of token with its own price, or something that is counted in another unit. */
export type CostName = Bucket | keyof typeof UNIT_OF

/** The items that are not tokens. */
const UNIT_OF = {
  searches: 'perCount',
  images: 'perCount',
  megapixels: 'perMegapixel',
  'further-megapixels': 'perMegapixel',
  'video-seconds': 'perSecond',
  'audio-video-seconds': 'perSecond',
} as const

/** The prices of a card that apply to each item, the first that exists. */
const PRICES_OF: { readonly [name in CostName]: readonly string[] } = {
  prompt: ['prompt'],
  'cache-read': ['input_cache_read', 'prompt'],
  'image-cache-read': ['image_cache_read'],
  'cache-write-5m': ['input_cache_write_5_min', 'input_cache_write', 'prompt'],
  'cache-write-1h': ['input_cache_write_1_h', 'input_cache_write', 'prompt'],
  'audio-input': ['audio_input', 'prompt'],
  'image-input': ['image_input', 'prompt'],
  'video-input': ['video_input', 'prompt'],
  completion: ['completion'],
  reasoning: ['internal_reasoning', 'completion'],
  'image-output': ['image', 'completion'],
  'audio-output': ['audio', 'completion'],
  'video-output': ['video', 'completion'],
  searches: ['web_search'],
  images: ['image', 'image_per_count_default_size'],
  megapixels: ['image_megapixel'],
  'further-megapixels': ['image_further_megapixel'],
  'video-seconds': ['video'],
  'audio-video-seconds': ['audio_and_video'],
}

const NAMES = Object.keys(PRICES_OF) as readonly CostName[] // its own members

/** The names of all prices that items use. */
export function priceNames(): readonly string[] {
  return [...new Set(NAMES.flatMap((name) => PRICES_OF[name]))]
}

/** The units in which items use a price. */
export function unitsOf(price: string): readonly Price['unit'][] {
  return [...new Set(NAMES.filter((name) => PRICES_OF[name].includes(price)).map(unitOf))]
}

function unitOf(name: CostName): Price['unit'] {
  return name in UNIT_OF ? UNIT_OF[name as keyof typeof UNIT_OF] : 'perMTokens' // just seen
}

/**
 * What an answer costs by its card. The tier is chosen by the size of the whole prompt, cached tokens included, for all items. Undefined
 * if the card has no price for any of it: an unknown price is not a price of zero.
 */
export function costOf(card: Card, usage: Billed): Cost | undefined {
  if (card.prices === undefined) return undefined
  const buckets = bucketsOf(usage, card)
  const sizes = sizesOf(buckets)
  const items: CostItem[] = []
  const unpriced: CostName[] = []
  let total = 0
  for (const [name, quantity] of quantitiesOf(buckets, usage, card)) {
    const price = priceOf(name, card, sizes, usage)
    if (price === undefined) {
      unpriced.push(name)
      continue
    }
    const nanos = nanosOf(quantity, price)
    items.push({ name, quantity, nanos })
    total += nanos
  }
  if (items.length === 0 && unpriced.length > 0) return undefined
  return {
    total,
    items,
    ...(card.priceVersion === undefined ? {} : { version: card.priceVersion }),
    ...(unpriced.length === 0 ? {} : { unpriced }),
    ...(usage.estimated === true ? { estimated: true } : {}),
  }
}

/** The tokens of each bucket, and what is counted in another unit. */
function quantitiesOf(buckets: Buckets, usage: Billed, card: Card): readonly (readonly [CostName, number])[] {
  const { searches = 0, videoSeconds = 0, audioVideoSeconds = 0 } = usage
  const others: readonly (readonly [CostName, number])[] = [
    ['searches', searches],
    ...(buckets['image-output'] === undefined ? imagesOf(usage, card) : []),
    ['video-seconds', videoSeconds],
    ['audio-video-seconds', audioVideoSeconds],
  ]
  const tokens = Object.entries(buckets) as [Bucket, number][] // its own members
  return [...tokens, ...others.filter(([, quantity]) => quantity > 0)]
}

/** By megapixel if the card has such a price; otherwise by image, with a price for each megapixel after the first if there is one. */
function imagesOf({ images = 0, pixels = [] }: Billed, card: Card): readonly (readonly [CostName, number])[] {
  const has = (name: CostName): boolean => PRICES_OF[name].some((item) => listOf(card, item).length > 0)
  const megapixels = pixels.reduce((sum, each) => sum + wholeMegapixels(each), 0)
  if (megapixels > 0 && has('megapixels')) return [['megapixels', megapixels]]
  const further = has('further-megapixels') ? megapixels - pixels.length : 0
  return [
    ['images', images],
    ['further-megapixels', further],
  ]
}

/** Vendors count the megapixels that an image has begun, and take 1024x1024 for one: 1920x1080 is two. */
function wholeMegapixels(pixels: number): number {
  return Math.max(1, Math.ceil(pixels / (1024 * 1024)))
}

/** The sizes that choose a tier, in tokens. */
interface Sizes {
  readonly prompt: number
  readonly completion: number
}

function sizesOf(buckets: Buckets): Sizes {
  const sum = (names: readonly Bucket[]): number => names.reduce((all, name) => all + (buckets[name] ?? 0), 0)
  return { prompt: sum(INPUT_BUCKETS), completion: sum(OUTPUT_BUCKETS) }
}

function priceOf(name: CostName, card: Card, sizes: Sizes, facts: PriceFacts): Price | undefined {
  const unit = unitOf(name)
  for (const item of PRICES_OF[name]) {
    const price = listOf(card, item).find((each) => each.unit === unit && applies(each, sizes, facts))
    if (price !== undefined) return price
  }
  return undefined
}

/** Prices that model lists cannot express come first: they are more exact than the listed price of the same item. */
function listOf({ prices, otherPrices }: Card, item: string): readonly Price[] {
  const [exact = [], listed = []] = [otherPrices?.[item], prices?.[item]]
  return exact.length === 0 ? listed : [...exact, ...listed]
}
