import type { Card, TermConditions, Price } from '../ir/model.ts'
import type { PriceTerms } from '../ir/usage.ts'
import { isObject, numberOf } from '../lib/json.ts'

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

/** The sizes of a conversation that conditions of prices can limit, in tokens. */
export const SIZES = ['prompt_tokens', 'completion_tokens'] as const
/** The facts about a media answer that conditions of prices can name. */
export const FACTS = ['resolution', 'quality', 'size'] as const

/** What was generated and under which terms, for prices that depend on it, in the words of the upstream. */
export type PriceFacts = MediaFacts & PriceTerms

export type MediaFacts = {
  /** `1080p` of a video, `2K` of an image. */
  readonly resolution?: string
  readonly quality?: string
  /** The pixels of an image: `1024x1536`. */
  readonly size?: string
}

/** Whether a price is for an answer of these sizes and facts. A fact that is unknown meets no condition. */
export function applies(
  { conditions }: Price,
  { prompt, completion }: { readonly prompt: number; readonly completion: number },
  facts: MediaFacts,
): boolean {
  if (conditions === undefined) return true
  return (
    isWithin(conditions['prompt_tokens'], prompt) &&
    isWithin(conditions['completion_tokens'], completion) &&
    FACTS.every((fact) => isOneOf(conditions[fact], facts[fact]))
  )
}

/** Limits are in thousands of tokens; 1.001 are 1001 of them, whatever the binary fraction is. An absent limit and null are no limit. */
function isWithin(limits: unknown, tokens: number): boolean {
  if (!isObject(limits)) return true
  const limit = (name: string): number | undefined => {
    const value = numberOf(limits[name])
    return value === undefined ? undefined : Math.round(value * 1000)
  }
  const [gte, gt, lte, lt] = [limit('gte'), limit('gt'), limit('lte'), limit('lt')]
  return (
    (gte === undefined || tokens >= gte) &&
    (gt === undefined || tokens > gt) &&
    (lte === undefined || tokens <= lte) &&
    (lt === undefined || tokens < lt)
  )
}

/** Whether a fact meets a condition; an absent condition is always met. Case is ignored: upstreams write `4k` and `4K`. */
export function isOneOf(wanted: unknown, fact: string | undefined): boolean {
  if (wanted === undefined) return true
  const lower = fact?.toLowerCase()
  return [wanted].flat().some((each) => typeof each === 'string' && each.toLowerCase() === lower)
}
