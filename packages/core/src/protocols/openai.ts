import type { Losses } from '../ir/loss.ts'
import type { PriceTerms } from '../ir/usage.ts'
import type { ModelRequest, OutputOptions } from '../ir/request.ts'
import { defined, type Draft } from '../lib/members.ts'
import { isEmpty, isObject, type Json, type JsonObject } from '../lib/json.ts'
import { unknownOf, type Known } from '../ir/extras.ts'
import { decodedSchema, standardSchema } from '../ir/tool.ts'
import { modelFacts, releaseDate } from '../ir/model.ts'
import { tierTerms } from './tier-words.ts'
import type { RateLimit, RateLimits, ListedModel } from './protocol.ts'

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

/** The tier of an answer. `auto` is an echo of the request and shows nothing. */
export function decodeTier(tier: unknown): string | undefined {
  return typeof tier === 'string' && tier !== 'auto' ? tier : undefined
}

/** The terms of price in a request, an answer or a chunk of one. */
export function decodeTerms(wire: { readonly service_tier?: unknown }): PriceTerms | undefined {
  return tierTerms(wire.service_tier)
}

/** The type of a format, as both APIs of OpenAI have it. */
interface Format {
  readonly type?: string | undefined
}

/** The members of a schema: in chat in an object of their own, in responses in the format. */
interface NamedSchema {
  readonly name?: string | undefined
  readonly schema?: unknown
  readonly strict?: boolean | null | undefined
  readonly description?: string | null | undefined
}

const NO_SCHEMA: NamedSchema = {}

/** `named` has the schema of a format; it counts only if the format has one. */
export function decodeFormat(
  format: Format | null | undefined,
  named: NamedSchema = NO_SCHEMA,
  verbosity?: string | null,
): OutputOptions | undefined {
  const isNamed = format?.type === 'json_schema'
  const json = isNamed || format?.type === 'json_object' ? 'json' : undefined
  const { name, schema, strict, description } = isNamed ? named : NO_SCHEMA
  const requested = defined({ format: json, name, ...decodedSchema(schema), strict, description, verbosity })
  return isEmpty(requested) ? undefined : requested
}

/** The members that `decodeFormat` does not read. A format of an unknown kind is not read at all. */
export function unreadFormat(format: Format | null | undefined, known: Known): JsonObject | undefined {
  if (format == null) return undefined
  const { type } = format
  const rest = unknownOf(format, known)
  if (type === 'json_object' || type === 'json_schema') return rest
  return type === 'text' && rest === undefined ? undefined : (format as JsonObject) // parsed JSON
}

/** The schema of an output; undefined if it has none. It always has a name on the wire. */
export function encodeNamed(
  { format, name, schema, strict, description }: OutputOptions,
  protocol: string,
  losses: Losses,
): { name: string; schema?: JsonObject; strict?: boolean; description?: string } | undefined {
  if (format !== 'json' || (schema === undefined && name === undefined)) return undefined
  const fit = name?.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
  if (name === undefined) losses.added(['name'], fit, `${protocol} names its schemas`)
  else if (name !== fit) losses.changed(['name'], fit, `${protocol} names are of letters, digits, dashes`)
  const value = schema === undefined ? undefined : standardSchema(schema, ['schema'], losses)
  return defined({ name: fit, schema: value, strict, description })
}

/** The headers of OpenAI, as its reference lists them. */
export function rateLimitHeaders({ requests, tokens }: RateLimits): { readonly [name: string]: string } {
  return { ...headersOf('requests', requests), ...headersOf('tokens', tokens) }
}

function headersOf(what: 'requests' | 'tokens', rate: RateLimit | undefined): { readonly [name: string]: string } {
  if (rate === undefined) return {}
  return {
    [`x-ratelimit-limit-${what}`]: String(rate.limit),
    [`x-ratelimit-remaining-${what}`]: String(rate.remaining),
    [`x-ratelimit-reset-${what}`]: durationOf(rate.resetMs),
  }
}

/** `120ms`, `1.5s`, `6m0s`: how Go writes a duration. */
function durationOf(ms: number): string {
  if (ms < 1000) return `${ms}ms`
  const minutes = Math.floor(ms / 60_000)
  const seconds = `${(ms % 60_000) / 1000}s`
  return minutes === 0 ? seconds : `${minutes}m${seconds}`
}

/** Model lists in the form of OpenAI, which chat and Responses share. */
export function listModels(entries: readonly ListedModel[], _query: URLSearchParams): JsonObject {
  return { object: 'list', data: entries.map(showModel) }
}

/** One entry of such a list. */
export function showModel({ id, provider, card }: ListedModel): JsonObject {
  const created = Date.parse(releaseDate(card)) / 1000
  return { id, object: 'model', created, owned_by: card.owner ?? provider, ...modelFacts(card) }
}
