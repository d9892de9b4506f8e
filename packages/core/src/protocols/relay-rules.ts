import type { PriceTerms } from '../ir/usage.ts'
import { isObject, listOf, numberOf, stringOf, type Json, type JsonObject } from '../lib/json.ts'
import type { Limits } from './context.ts'
import type { Peek } from './relay.ts'

/** What routing needs, in protocols that have it in the body. */
export function peekBody(body: JsonObject): { readonly model: string; readonly stream: boolean } {
  return { model: stringOf(body['model']), stream: body['stream'] === true }
}

/** The caller's limit of the answer, for all answers together if it asks for several. */
export function peekMaxTokens(limit: Json | undefined, answers?: Json): { readonly maxTokens?: number } {
  const most = numberOf(limit)
  return most === undefined ? {} : { maxTokens: most * (numberOf(answers) ?? 1) }
}

/** What of a request changes its price: its terms, and a search of the web that the upstream may run. */
export function peekPrice(
  terms: PriceTerms | undefined,
  searches: boolean,
): Pick<Peek, 'terms' | 'searches'> | undefined {
  if (terms === undefined && !searches) return undefined
  return searches ? { terms, searches } : { terms }
}

/** Whether the upstream may search the web with one of these tools. */
export function hasWebSearch(tools: Json | undefined, isSearch = isWebSearch): boolean {
  return listOf(tools as readonly Json[] | undefined).some((tool) => isObject(tool) && isSearch(tool))
}

/** A tool by its type. Vendors add a version after it, or their own name before it. */
export function isWebSearch({ type }: JsonObject): boolean {
  return typeof type === 'string' && /(?:web|browser|x)_search/.test(type)
}

/** Paths that can prevent a relay of a body. */
export interface RelayRules {
  /** The member that limits the response, and its object. */
  readonly limit: readonly [holder: Json | undefined, member: string]
  readonly history: Json | undefined
  /** Whether a turn of the history has seals of another domain. */
  readonly isSealed: (turn: JsonObject) => boolean
}

/** Why a body cannot be relayed: it asks for too much, or its history has seals of another domain. */
export function whyNotRelayed({ limit, history, isSealed }: RelayRules, limits: Limits): string | undefined {
  const [holder, member] = limit
  const asked = isObject(holder) ? numberOf(holder[member]) : undefined
  if (asked !== undefined && asked > (limits.maxTokens ?? asked)) return `${member} is above the limit of the model`
  const sealed = listOf(history as readonly Json[] | undefined).some((turn) => isObject(turn) && isSealed(turn))
  return sealed ? 'the history holds state of another model' : undefined
}
