import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { readCount, readTotal, allCacheWrites, outputByTotal, reportSearches, type Usage } from '../../ir/usage.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isObject, listOf, objectOf, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import type { CountCodec } from '../protocol.ts'
import { usage as wireUsage, type WireUsage } from './answer-schema.ts'
import { TABLES } from './members.ts'
import { NAME } from './schema.ts'

/** Cached and reasoning tokens are included in the counts, here and in the IR. The total corrects the output, and is then derived. */
export function decodeUsage(wire: WireUsage): Usage {
  const usage: Draft<Usage> = {}
  const details = objectOf(wire.input_tokens_details)
  const input = readCount(wire.input_tokens, usage)
  const cacheRead = readCount(details.cached_tokens, usage)
  const cacheWrite5m = readCount(details.cache_write_tokens, usage)
  const counted = {
    output: readCount(wire.output_tokens, usage),
    reasoning: readCount(objectOf(wire.output_tokens_details).reasoning_tokens, usage),
  }
  const { output, reasoning } = outputByTotal(counted, input, readTotal(wire.total_tokens, usage), usage)
  return keep(defined({ input, output, cacheRead, cacheWrite5m, reasoning }, usage), NAME, unknownOf(wire, USAGE))
}

const USAGE = known(wireUsage)

/** Clients need all counts. `searches` are those that a reader finds in the answer. */
export function encodeUsage(
  usage: Usage | undefined,
  losses: Losses,
  context: Encoding,
  searches: unknown,
): WireUsage | null {
  if (usage === undefined) return null
  reportUnsupported(usage, TABLES.usage, losses, context)
  reportSearches(usage, searches, NAME, losses)
  const { input, output, cacheRead, reasoning } = usage
  const cacheWrite = allCacheWrites(usage, NAME, losses)
  for (const member of ['input', 'output', 'cacheRead', 'reasoning'] as const)
    if (usage[member] === undefined) losses.added([member], 0, 'responses usage has this count')
  const wire: WireUsage = {
    input_tokens: input ?? 0,
    input_tokens_details: {
      cached_tokens: cacheRead ?? 0,
      ...(cacheWrite === undefined ? {} : { cache_write_tokens: cacheWrite }),
    },
    output_tokens: output ?? 0,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: (input ?? 0) + (output ?? 0),
  }
  return restore(NAME, usage, wire)
}

/** The searches of an answer, by its items. */
interface SearchCounter {
  /** Notes an item of a stream. */
  add(index: number, item: unknown): void
  /** Also those of the answer that ends a stream, and what it reports itself. Undefined if there are none. */
  count(answer?: object): unknown
}

/** As OpenAI bills them: what it reports, otherwise each search. Pages that it opens are free; older upstreams name no action. */
export function createSearchCounter(): SearchCounter {
  const found = new Set<unknown>()
  return {
    add(index, item) {
      if (isSearch(item)) found.add(objectIn(item)['id'] ?? index)
    },
    count(answer) {
      const { output, tool_usage } = objectIn(answer)
      const { num_requests } = objectIn(objectIn(tool_usage)['web_search'])
      if (typeof num_requests === 'number') return num_requests
      const most = Math.max(found.size, listOf(output as readonly unknown[] | undefined).filter(isSearch).length)
      return most === 0 ? undefined : most
    },
  }
}

function isSearch(item: unknown): boolean {
  const { type, action } = objectIn(item)
  return type === 'web_search_call' && (action == null || objectIn(action)['type'] === 'search')
}

/** The searches of a whole answer. */
export function searchesOf(answer: object): unknown {
  return createSearchCounter().count(answer)
}

function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** A request that is only counted has the members of any other. */
export const count: CountCodec = {
  request: (body) => body,
  encode: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  decode: (body) => readCount(objectOf(body)['input_tokens'], {}),
}
