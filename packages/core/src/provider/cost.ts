import type { Card, Price } from '../ir/model.ts'
import type { Usage } from '../ir/usage.ts'
import { isObject, numberOf } from '../lib/json.ts'
import { nanosOf } from './exact-price.ts'
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
  /** Tokens, searches, images or seconds. */
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
export interface Billed extends Usage {
  /** Images of the answer. Billed only if their tokens are not. */
  readonly images?: number
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
  'video-seconds': 'perSecond',
  'audio-video-seconds': 'perSecond',
} as const

/** The prices of a card that apply to each item, the first that exists. */
const PRICES_OF: { readonly [name in CostName]: readonly string[] } = {
  prompt: ['prompt'],
  'cache-read': ['input_cache_read', 'prompt'],
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
  const quantities = quantitiesOf(buckets, usage)
  const sizes = sizesOf(buckets)
  const items: CostItem[] = []
  const unpriced: CostName[] = []
  let total = 0
  for (const [name, quantity] of quantities) {
    const price = priceOf(name, card, sizes)
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
function quantitiesOf(buckets: Buckets, usage: Billed): readonly (readonly [CostName, number])[] {
  const { searches = 0, images = 0, videoSeconds = 0, audioVideoSeconds = 0 } = usage
  const others: readonly (readonly [CostName, number])[] = [
    ['searches', searches],
    ['images', buckets['image-output'] === undefined ? images : 0],
    ['video-seconds', videoSeconds],
    ['audio-video-seconds', audioVideoSeconds],
  ]
  const tokens = Object.entries(buckets) as [Bucket, number][] // its own members
  return [...tokens, ...others.filter(([, quantity]) => quantity > 0)]
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

function priceOf(name: CostName, card: Card, sizes: Sizes): Price | undefined {
  const unit = unitOf(name)
  for (const item of PRICES_OF[name]) {
    const prices = card.prices?.[item] ?? card.otherPrices?.[item] ?? []
    const price = prices.find((each) => each.unit === unit && applies(each, sizes))
    if (price !== undefined) return price
  }
  return undefined
}

/** Whether the sizes of the prompt and of the completion are in the tier of a price. */
function applies({ conditions }: Price, { prompt, completion }: Sizes): boolean {
  if (conditions === undefined) return true
  return isWithin(conditions['prompt_tokens'], prompt) && isWithin(conditions['completion_tokens'], completion)
}

/** Limits are in thousands of tokens. An absent limit and null are no limit. */
function isWithin(limits: unknown, tokens: number): boolean {
  if (!isObject(limits)) return true
  const limit = (name: string): number | undefined => {
    const value = numberOf(limits[name])
    return value === undefined ? undefined : value * 1000
  }
  const [gte, gt, lte, lt] = [limit('gte'), limit('gt'), limit('lte'), limit('lt')]
  return (
    (gte === undefined || tokens >= gte) &&
    (gt === undefined || tokens > gt) &&
    (lte === undefined || tokens <= lte) &&
    (lt === undefined || tokens < lt)
  )
}
