import type { Price } from '../ir/model.ts'
import type { Bucket } from './token-buckets.ts'

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
  searches: ['web_search'],
  images: ['image', 'image_per_count_default_size'],
  megapixels: ['image_megapixel'],
  'further-megapixels': ['image_further_megapixel'],
  'video-seconds': ['video'],
  'audio-video-seconds': ['audio_and_video'],
}

export const ITEMS = Object.keys(PRICES_OF) as readonly ItemName[] // its own members

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
