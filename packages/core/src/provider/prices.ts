import type { Price } from '../ir/model.ts'

/** The price of one item: per million tokens, one for each tier, or a price with its own unit. */
export type ItemPrice = number | readonly number[] | Price

/**
 * Prices in US dollars. A list has one price per tier of prompt size; `tiers` says where each tier after the first begins, in
 * thousands of prompt tokens: `usd({ prompt: [2, 4], completion: 12, web_search: perCount(0.01) }, [200])`.
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

function pricesOf(price: ItemPrice, tiers: readonly number[]): readonly Price[] {
  if (typeof price === 'number') return [perMTokens(price)]
  if (!isList(price)) return [price]
  return price.map((value, index) => {
    const [gte = 0, lt] = [0, ...tiers].slice(index, index + 2)
    return {
      ...perMTokens(value),
      conditions: { prompt_tokens: { unit: 'kTokens', gte, ...(lt === undefined ? {} : { lt }) } },
    }
  })
}

function perMTokens(value: number): Price {
  return { value, unit: 'perMTokens', currency: 'USD' }
}

function isList(price: readonly number[] | Price): price is readonly number[] {
  return Array.isArray(price)
}
