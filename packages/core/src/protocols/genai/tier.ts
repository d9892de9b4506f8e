import type { PriceTerms } from '../../ir/usage.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { tierTerms, type TierWords } from '../tier-words.ts'

export const TIERS: TierWords = new Map([
  ['standard', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
])

/** The terms of price in a request or in the usage of an answer. Vertex AI has a type of traffic instead of a tier. */
export function decodeTerms(wire: object): PriceTerms | undefined {
  const { serviceTier, trafficType } = wire as { readonly [member: string]: unknown } // parsed JSON
  const word = serviceTier ?? trafficType
  if (typeof word !== 'string' || /unspecified$/i.test(word)) return undefined
  return tierTerms(word.replace(/^on_demand_/i, ''))
}

export function answerTerms({ usageMetadata }: JsonObject): PriceTerms | undefined {
  return isObject(usageMetadata) ? decodeTerms(usageMetadata) : undefined
}
