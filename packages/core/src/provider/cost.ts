import type { Card, Price } from '../ir/model.ts'
import type { Usage } from '../ir/usage.ts'
import { isObject, numberOf } from '../lib/json.ts'
import { nanosOf } from './exact-price.ts'
import { bucketsOf, INPUT_BUCKETS, OUTPUT_BUCKETS, type Bucket, type Buckets } from './token-buckets.ts'

/** The price of an answer, item by item, in nano-dollars: billionths of a US dollar, always whole numbers. */
export interface Cost {
  readonly total: number
  readonly items: readonly CostItem[]
  /** What the card has no price for. It is not in the total. */
  readonly unpriced?: readonly CostName[]
  /** The usage was estimated, not reported by the upstream. */
  readonly estimated?: true
}

/** What one kind of token, or all searches, cost. */
export interface CostItem {
  readonly name: CostName
  /** Tokens, or searches. */
  readonly quantity: number
  readonly nanos: number
}

/** A kind of token with its own price, or searches. */
export type CostName = Bucket | 'searches'

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
}

/**
 * What an answer costs by its card. The tier is chosen by the size of the whole prompt, cached tokens included, for all items. Undefined
 * if the card has no prices at all: an unknown price is not a price of zero.
 */
export function costOf(card: Card, usage: Usage): Cost | undefined {
  if (card.prices === undefined) return undefined
  const buckets = bucketsOf(usage, card)
  const quantities: [CostName, number][] = Object.entries(buckets) as [Bucket, number][] // its own members
  if (usage.searches !== undefined && usage.searches > 0) quantities.push(['searches', usage.searches])
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
  return {
    total,
    items,
    ...(unpriced.length === 0 ? {} : { unpriced }),
    ...(usage.estimated === true ? { estimated: true } : {}),
  }
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
  const unit = name === 'searches' ? 'perCount' : 'perMTokens'
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
