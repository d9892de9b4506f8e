import type { Losses } from '../ir/loss.ts'
import type { PriceTerms } from '../ir/usage.ts'
import type { ModelRequest } from '../ir/request.ts'
import type { Draft } from '../lib/members.ts'
import { isEmpty, isObject, type Json, type JsonObject } from '../lib/json.ts'
import { tierTerms } from './tier-words.ts'

const isText = (value: Json | undefined) => typeof value === 'string'

/** Members that requests of all APIs of OpenAI have in common, where the IR has them, and what is read. */
const MEMBERS = [
  ['service_tier', 'serviceTier', isText],
  ['prompt_cache_key', 'promptCacheKey', isText],
  ['prompt_cache_retention', 'promptCacheRetention', isText],
  ['prompt_cache_options', 'promptCacheOptions', isObject],
  ['moderation', 'moderation', isObject],
] as const

/** The request members of the IR that are written by `encodeServing`. */
export const SERVING = MEMBERS.map(([, name]) => name)

/** Reads the members from those that a decoder does not know, and returns the others. */
export function decodeServing(rest: JsonObject | undefined, request: Draft<ModelRequest>): JsonObject | undefined {
  if (rest === undefined) return undefined
  let left: Draft<JsonObject> | undefined
  for (const [member, name, fits] of MEMBERS) {
    const value = rest[member]
    if (!fits(value)) continue
    Object.assign(request, { [name]: value })
    left ??= { ...rest }
    delete left[member]
  }
  if (left === undefined) return rest
  return isEmpty(left) ? undefined : left
}

/** `known` has the members that an upstream knows, if it does not know all of them: some refuse the others. */
export function encodeServing(request: ModelRequest, known: Json | undefined, losses: Losses): JsonObject {
  const wire: { [member: string]: Json } = {}
  for (const [member, name] of MEMBERS) {
    const value = request[name]
    if (value === undefined) continue
    if (knowsMember(known, member)) wire[member] = value
    else losses.dropped([name], `this upstream has no ${member}`)
  }
  return wire
}

export function knowsMember(known: Json | undefined, member: string): boolean {
  return !Array.isArray(known) || known.includes(member)
}

/** The tier of an answer. `auto` is an echo of the request and tells nothing. */
export function decodeTier(tier: unknown): string | undefined {
  return typeof tier === 'string' && tier !== 'auto' ? tier : undefined
}

/** The terms of price in a request, an answer or a chunk of one. */
export function decodeTerms(wire: { readonly service_tier?: unknown }): PriceTerms | undefined {
  return tierTerms(wire.service_tier)
}
