import type { Price, Card } from '../ir/model.ts'
import type { MediaFacts } from './term-prices.ts'

/** The price of one item: per million tokens, one for each tier, a price with its own unit, or several under conditions. */
export type ItemPrice = number | Price | readonly (number | Price)[]

/**
 * Prices in US dollars. A list has one price per tier of prompt size; `tiers` says where each tier but the last ends, in thousands of
 * prompt tokens: `usd({ prompt: [2, 4], completion: 12, web_search: perCount(0.01) }, [200])`. A prompt of exactly that size is still in
 * the tier, as vendors say "above 200,000" for the next one.
 */
export function usd(
  items: { readonly [item: string]: ItemPrice },
  tiers: readonly number[] = [],
): { readonly [item: string]: readonly Price[] } {
  return Object.fromEntries(Object.entries(items).map(([item, price]) => [item, pricesOf(price, tiers)]))
}

/** A price per item, such as an image or a search. */
export function perCount(value: number): Price {
  return { value, unit: 'perCount', currency: 'USD' }
}

/** A price for a second of audio or video. */
export function perSecond(value: number): Price {
  return { value, unit: 'perSecond', currency: 'USD' }
}

/** A price for a megapixel of an image: each begun 1024x1024 pixels. */
export function perMegapixel(value: number): Price {
  return { value, unit: 'perMegapixel', currency: 'USD' }
}

/** A price that only some answers have: `when(perSecond(0.08), { resolution: '1080p' })`. For `otherPrices`. */
export function when(price: Price, facts: { readonly [fact in keyof MediaFacts]: string | readonly string[] }): Price {
  return { ...price, conditions: { ...facts } }
}

function pricesOf(price: ItemPrice, tiers: readonly number[]): readonly Price[] {
  if (typeof price === 'number') return [perMTokens(price)]
  if (!isList(price)) return [price]
  return price.map((value, index) => {
    if (typeof value !== 'number') return value
    const [gt, lte] = [tiers[index - 1], tiers[index]]
    const begin = gt === undefined ? { gte: 0 } : { gt }
    const limits = { unit: 'kTokens', ...begin, ...(lte === undefined ? {} : { lte }) }
    return { ...perMTokens(value), conditions: { prompt_tokens: limits } }
  })
}

function perMTokens(value: number): Price {
  return { value, unit: 'perMTokens', currency: 'USD' }
}

function isList(price: Price | readonly (number | Price)[]): price is readonly (number | Price)[] {
  return Array.isArray(price)
}

/**
 * The version of a card's prices: a digest of everything that its cost depends on. Equal prices have the same version, in any order of
 * members, and another price is another version. Undefined if the card has neither prices nor a ceiling.
 */
export function priceVersion({ prices, otherPrices, terms, ceiling, documents, searches }: Card): string | undefined {
  if (prices === undefined && ceiling === undefined) return undefined
  return digest(JSON.stringify(ordered({ prices, otherPrices, terms, ceiling, documents, searches })))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, inside]) => [name, ordered(inside)]))
}

/** 64 bits in hex: FNV-1a, and a second sum with another factor. It identifies and does not protect, and every card has one at start. */
function digest(text: string): string {
  let first = 0x811c9dc5
  let second = 0x1b873593
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ code, 0x85ebca6b)
    second ^= second >>> 13
  }
  return [first, second].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('')
}
