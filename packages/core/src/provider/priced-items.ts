import { isPattern, type Price, type Card } from '../ir/model.ts'
import type { Usage } from '../ir/usage.ts'
import { numberOf, type JsonObject } from '../lib/json.ts'

/** A kind of token with its own price, or something that is counted in another unit. */
export type ItemName = Bucket | keyof typeof UNIT_OF

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
export const PRICES_OF: { readonly [name in ItemName]: readonly [string, ...string[]] } = {
  prompt: ['prompt'],
  'cache-read': ['input_cache_read', 'prompt'],
  'image-cache-read': ['image_cache_read'],
  'audio-cache-read': ['audio_cache_read'],
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
  searches: ['web_search', 'search'],
  images: ['image', 'image_per_count_default_size'],
  megapixels: ['image_megapixel'],
  'further-megapixels': ['image_further_megapixel'],
  'video-seconds': ['video'],
  'audio-video-seconds': ['audio_and_video'],
}

const ITEMS = Object.keys(PRICES_OF) as readonly ItemName[] // its own members

/** The names of all prices that items use. */
export function priceNames(): readonly string[] {
  return [...new Set(ITEMS.flatMap((name) => PRICES_OF[name]))]
}

/** The units in which items use a price. */
export function unitsOf(price: string): readonly Price['unit'][] {
  return [...new Set(ITEMS.filter((name) => PRICES_OF[name].includes(price)).map(unitOf))]
}

export function unitOf(name: ItemName): Price['unit'] {
  return name in UNIT_OF ? UNIT_OF[name as keyof typeof UNIT_OF] : 'perMTokens' // just seen
}

export const INPUT_BUCKETS = [
  'prompt',
  'cache-read',
  'image-cache-read',
  'audio-cache-read',
  'cache-write-5m',
  'cache-write-1h',
  'audio-input',
  'image-input',
  'video-input',
] as const
export const OUTPUT_BUCKETS = ['completion', 'reasoning', 'audio-output', 'image-output', 'video-output'] as const

/** Tokens with a price of their own. Every token of an answer is in exactly one bucket. */
export type Bucket = (typeof INPUT_BUCKETS)[number] | (typeof OUTPUT_BUCKETS)[number]

export type Buckets = { readonly [name in Bucket]?: number }

/**
 * Divides the tokens of an answer. Details that are larger than their total are cut, so the buckets of the input add up to the input,
 * and those of the output to the output. A total that is unknown is the sum of its details. Cached images and audio have a bucket only
 * where they have a price of their own.
 */
export function bucketsOf(usage: Usage, card: Card, hasPrice: (price: string) => boolean): Buckets {
  const { modalities = {} } = usage
  const input = countsOf(modalities.input, card)
  const cached = countsOf(modalities.cached, card)
  const output = countsOf(modalities.output ?? onlyImages(usage, card), card)
  const cachedImages = hasPrice('image_cache_read') ? cached.image : 0
  const cachedAudio = hasPrice('audio_cache_read') ? cached.audio : 0
  return {
    ...divide(usage.input, 'prompt', [
      ['image-cache-read', cachedImages],
      ['audio-cache-read', cachedAudio],
      ['cache-read', count(usage.cacheRead) - cachedImages - cachedAudio],
      ['cache-write-5m', usage.cacheWrite5m],
      ['cache-write-1h', usage.cacheWrite1h],
      ['audio-input', input.audio - cached.audio],
      ['image-input', input.image - cached.image],
      ['video-input', input.video - cached.video],
    ]),
    ...divide(usage.output, 'completion', [
      ['reasoning', usage.reasoning],
      ['audio-output', output.audio],
      ['image-output', output.image],
      ['video-output', output.video],
    ]),
  }
}

function divide(
  total: number | undefined,
  rest: Bucket,
  details: readonly (readonly [bucket: Bucket, tokens: number | undefined])[],
): Buckets {
  const buckets: { [name in Bucket]?: number } = {}
  let left = count(total)
  for (const [bucket, tokens] of details) {
    const taken = total === undefined ? count(tokens) : Math.min(count(tokens), left)
    if (taken === 0) continue
    buckets[bucket] = taken
    left -= taken
  }
  if (total !== undefined && left > 0) buckets[rest] = left
  return buckets
}

interface Counts {
  readonly audio: number
  readonly image: number
  readonly video: number
}

/** A model that answers with images alone writes image tokens, if its upstream does not count them: gpt-image-1 does not. */
function onlyImages({ output }: Usage, { output: kinds }: Card): JsonObject | undefined {
  return output !== undefined && kinds.length === 1 && kinds[0] === 'image' ? { image: output } : undefined
}

/** Document tokens are image tokens where the card says so, and text otherwise. */
function countsOf(counts: JsonObject | undefined, { documents }: Card): Counts {
  const found = { audio: 0, image: 0, video: 0 }
  for (const [name, tokens] of Object.entries(counts ?? {})) {
    const lower = name.toLowerCase()
    const modality = lower === 'document' && documents === 'image' ? 'image' : lower
    if (modality === 'audio' || modality === 'image' || modality === 'video') found[modality] += count(numberOf(tokens))
  }
  return found
}

/** Far above what any answer can have: with more, prices would not be exact. */
export const MOST_COUNTED = 1e12

/** Upstreams have sent negative and broken numbers. */
function count(tokens: number | undefined): number {
  return tokens === undefined || !(tokens > 0) ? 0 : Math.min(MOST_COUNTED, Math.round(tokens))
}

/**
 * A card without prices, with the highest prices of its family as its ceiling, item by item. A ceiling of its own is used first. The
 * family are the known models whose names begin as the pattern does, or with the same first word; a family without prices gives none.
 */
export function withCeiling(card: Card, known: readonly Card[]): Card {
  if (isPriced(card)) return card
  const ceiling = { ...highestPrices(familyOf(card.name, known)), ...card.ceiling }
  return Object.keys(ceiling).length === 0 ? card : { ...card, ceiling }
}

/** An empty list is a price that an operator has removed. */
function isPriced({ prices, otherPrices }: Card): boolean {
  return [prices, otherPrices].some((group) => Object.values(group ?? {}).some((list) => list.length > 0))
}

function familyOf(name: string, known: readonly Card[]): readonly Card[] {
  if (isPattern(name)) return known.filter((card) => card.name.startsWith(name.slice(0, -1)))
  return known.filter((card) => firstWord(card.name) === firstWord(name))
}

/** `claude` of `claude-opus-5`, `openai` of `openai/gpt-5`. */
function firstWord(name: string): string {
  return /^[a-z]*/i.exec(name)?.[0].toLowerCase() ?? ''
}

/** Under the name of the first price that each item uses, over all sizes, resolutions and the like. */
function highestPrices(cards: readonly Card[]): { readonly [price: string]: readonly Price[] } {
  const highest = new Map<string, Price[]>()
  for (const item of ITEMS) {
    const [name] = PRICES_OF[item]
    const [first, ...others] = cards.flatMap((card) => pricesOf(item, card))
    if (first === undefined) continue
    const { value, unit, currency } = others.reduce((most, each) => (each.value > most.value ? each : most), first)
    highest.set(name, [...(highest.get(name) ?? []), { value, unit, currency }])
  }
  return Object.fromEntries(highest)
}

/** All prices that a card can have for an item: the listed ones count too where a price with conditions comes first. */
function pricesOf(item: ItemName, { prices, otherPrices }: Card): readonly Price[] {
  for (const name of PRICES_OF[item]) {
    const list = [...(otherPrices?.[name] ?? []), ...(prices?.[name] ?? [])].filter(({ unit }) => unit === unitOf(item))
    if (list.length > 0) return list
  }
  return []
}
