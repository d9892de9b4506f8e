import type { Price } from '../ir/model.ts'
import type { MediaFacts } from './price-conditions.ts'

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
