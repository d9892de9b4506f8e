import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { countWithin, readCount, type Usage, type PriceTerms } from '../../ir/usage.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { objectOf, isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { tierTerms, type TierWords } from '../tier-words.ts'
import type { CountCodec } from '../protocol.ts'
import { TABLES } from './members.ts'
import { usage as wireUsage, type WireUsage } from './answer-schema.ts'
import { NAME } from './schema.ts'

/** Cached tokens are separate from the input in messages, and included in the IR. */
export function decodeUsage(wire: WireUsage): Usage {
  const { input_tokens, output_tokens, cache_read_input_tokens } = wire
  const usage: Draft<Usage> = {}
  const count = (value: unknown) => readCount(value, usage)
  const tools = objectOf(wire.server_tool_use)
  const reasoning = count(objectOf(wire.output_tokens_details).thinking_tokens)
  const searches = count(tools.web_search_requests)
  const fetches = count(tools.web_fetch_requests)
  const cacheRead = count(cache_read_input_tokens)
  const { cacheWrite5m, cacheWrite1h } = decodeWrites(wire, cacheRead ?? 0, count)
  const fresh = count(input_tokens)
  const output = count(output_tokens)
  const cached = (cacheRead ?? 0) + (cacheWrite5m ?? 0) + (cacheWrite1h ?? 0)
  const input = fresh === undefined ? undefined : count(fresh + cached)
  const counts = { input, output, cacheRead, cacheWrite5m, cacheWrite1h, reasoning, searches, fetches }
  return keep(defined(counts, usage), NAME, unknownOf(wire, ANSWER_TIERS.has(wire.service_tier) ? TIERED : USAGE))
}

const USAGE = known(wireUsage, { unread: ['service_tier'] })
/** The tier is that of the whole response. */
const TIERED = known(wireUsage)

/** The sum of cache writes wins over its details: in a stream it can be newer. Together with the reads, it is one count of the input. */
function decodeWrites(
  { cache_creation_input_tokens, cache_creation }: WireUsage,
  read: number,
  count: (value: unknown) => number | undefined,
): Pick<Usage, 'cacheWrite5m' | 'cacheWrite1h'> {
  const details = objectOf(cache_creation)
  const write5m = count(details.ephemeral_5m_input_tokens)
  const write1h = count(details.ephemeral_1h_input_tokens)
  const divided = write5m === undefined && write1h === undefined ? undefined : (write5m ?? 0) + (write1h ?? 0)
  const given = count(cache_creation_input_tokens) ?? divided
  const cached = given === undefined ? undefined : count(read + given)
  if (cached === undefined) return {}
  const sum = cached - read
  const cacheWrite1h = Math.min(write1h ?? 0, sum)
  return { cacheWrite5m: sum - cacheWrite1h, cacheWrite1h }
}

/** The tier is in the words of messages. */
export function encodeUsage(
  usage: Usage | undefined,
  tier: string | undefined,
  losses: Losses,
  context: Encoding,
): WireUsage {
  if (usage === undefined) {
    losses.added([], { input: 0, output: 0 }, 'messages answers have usage')
    return { input_tokens: 0, output_tokens: 0, ...(tier === undefined ? {} : { service_tier: tier }) }
  }
  reportUnsupported(usage, TABLES.usage, losses, context)
  const { cacheRead, cacheWrite5m, cacheWrite1h, reasoning, searches, fetches } = usage
  const cached = (cacheRead ?? 0) + (cacheWrite5m ?? 0) + (cacheWrite1h ?? 0)
  if (usage.input === undefined) losses.added(['input'], cached, 'messages usage counts the input')
  if (usage.output === undefined) losses.added(['output'], 0, 'messages usage counts the output')
  const writes = cacheWrite5m !== undefined || cacheWrite1h !== undefined
  const requests = searches !== undefined || fetches !== undefined
  for (const kind of [...(writes ? WRITES : []), ...(requests ? REQUESTS : [])])
    if (usage[kind] === undefined) losses.added([kind], 0, 'messages counts both kinds')
  const wire: Draft<WireUsage> = {
    input_tokens: Math.max(0, (usage.input ?? cached) - cached),
    output_tokens: usage.output ?? 0,
  }
  if (cacheRead !== undefined) wire.cache_read_input_tokens = cacheRead
  if (writes) {
    const [fiveMinutes, oneHour] = [cacheWrite5m ?? 0, cacheWrite1h ?? 0]
    wire.cache_creation_input_tokens = countWithin(fiveMinutes + oneHour)
    wire.cache_creation = { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour }
  }
  if (reasoning !== undefined) wire.output_tokens_details = { thinking_tokens: reasoning }
  if (requests) wire.server_tool_use = { web_search_requests: searches ?? 0, web_fetch_requests: fetches ?? 0 }
  if (tier !== undefined) wire.service_tier = tier
  return restore(NAME, usage, wire)
}

const WRITES = ['cacheWrite5m', 'cacheWrite1h'] as const
const REQUESTS = ['searches', 'fetches'] as const

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

/** The speed of models that have no choice. */
const NO_GEO = 'not_available'

export function answerTerms({ usage }: JsonObject): PriceTerms | undefined {
  return isObject(usage) ? decodeTerms(usage) : undefined
}

/** A request that is only counted needs no limit. */
export const count: CountCodec = {
  request: (body) => ({ max_tokens: 1, ...body }),
  encode: (tokens) => ({ input_tokens: tokens }),
  decode: (body) => readCount(objectOf(body)['input_tokens'], {}),
}
