import type { PriceTerms } from '../../ir/usage.ts'
import type { Draft } from '../../lib/members.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { tierTerms, type TierWords } from '../tier-words.ts'

/** The only tier that requests have a word for, the default one. */
export const REQUEST_TIERS: TierWords = new Map([['standard_only', 'default']])

/** The tiers of answers, which their usage names. Another word, such as `batch`, stays with the unknown members of usage. */
export const ANSWER_TIERS: TierWords = new Map([
  ['standard', 'default'],
  ['priority', 'priority'],
])

/** The terms of price in a request or in the usage of an answer. `auto` may be served in the priority tier. */
export function decodeTerms(wire: object): PriceTerms | undefined {
  const { service_tier, speed, inference_geo, iterations, fallback_credit } = wire as {
    readonly [member: string]: unknown
  } // parsed JSON
  const tier = REQUEST_TIERS.get(service_tier) ?? service_tier
  const terms: Draft<PriceTerms> = tier === 'auto' ? { tier } : { ...tierTerms(tier) }
  if (typeof speed === 'string') terms.speed = speed.toLowerCase()
  if (typeof inference_geo === 'string' && inference_geo !== NO_GEO) terms.geo = inference_geo.toLowerCase()
  const hop = decodeHop(iterations, fallback_credit)
  if (hop !== undefined) terms.hop = hop
  return isEmpty(terms) ? undefined : terms
}

/** Tokens of another model, after a refusal or for advice, have its price. A redeemed credit bills a prompt as if it had been cached. */
function decodeHop(iterations: unknown, credit: unknown): string | undefined {
  if (isObject(credit) && isObject(credit['status']) && credit['status']['type'] === 'redeemed') return 'credit'
  if (!Array.isArray(iterations)) return undefined
  const types = iterations.map((each: unknown) => (isObject(each) ? each['type'] : undefined))
  return HOPS.find((hop) => types.includes(hop))
}

const HOPS = ['fallback_message', 'advisor_message']

/** Of models that have no choice of it. */
const NO_GEO = 'not_available'

export function answerTerms({ usage }: JsonObject): PriceTerms | undefined {
  return isObject(usage) ? decodeTerms(usage) : undefined
}
