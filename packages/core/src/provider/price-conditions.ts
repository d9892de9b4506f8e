import type { Price } from '../ir/model.ts'
import type { PriceTerms } from '../ir/price-terms.ts'
import { isObject, numberOf } from '../lib/json.ts'

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
