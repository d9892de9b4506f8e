import type { Card, TermConditions } from '../ir/model.ts'
import type { PriceTerms } from '../ir/price-terms.ts'
import { isOneOf } from './price-conditions.ts'

export const TERMS = ['tier', 'speed', 'geo', 'hop'] as const

/** What vendors call the terms of their listed prices. */
const STANDARD: { readonly [term in (typeof TERMS)[number]]: readonly string[] } = {
  tier: ['standard', 'default', 'auto', 'standard_only', 'on_demand'],
  speed: ['standard'],
  geo: ['global', 'not_available'],
  hop: [],
}

/** The prices under some terms. */
export interface PriceTable extends Pick<Card, 'prices' | 'otherPrices' | 'ceiling'> {
  /** Every price of tokens is multiplied by each of them. */
  readonly factors?: readonly number[]
}

/**
 * The prices of a card under the terms of an answer. Undefined if it has none under one of them: the standard price is not used then. A
 * ceiling is no ceiling of dearer terms, so it is only used where the terms are standard or have a factor.
 */
export function tableUnder(card: Card, terms: PriceTerms): PriceTable | undefined {
  const { tier, speed, geo, hop } = terms
  if (tier === undefined && speed === undefined && geo === undefined && hop === undefined) return card
  const open = new Set(TERMS.filter((term) => terms[term] !== undefined && !isOneOf(STANDARD[term], terms[term])))
  if (open.size === 0) return card
  let prices: Card['prices']
  const factors: number[] = []
  for (const { when, prices: own, factor } of card.terms ?? []) {
    const named = TERMS.filter((term) => when[term] !== undefined)
    if (!named.every((term) => open.has(term) && meets(when, terms, term))) continue
    if (own !== undefined && prices !== undefined) continue
    prices = own ?? prices
    if (factor !== undefined) factors.push(factor)
    for (const term of named) open.delete(term)
  }
  if (open.size > 0) return undefined
  return prices === undefined ? { ...card, factors } : { prices, factors }
}

function meets(when: TermConditions, terms: PriceTerms, term: keyof PriceTerms): boolean {
  return isOneOf(when[term], terms[term])
}
