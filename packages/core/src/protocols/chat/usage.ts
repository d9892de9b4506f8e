import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { readCount, readTotal, allCacheWrites, outputByTotal, type Usage, type Written } from '../../ir/usage.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { numberOf, objectOf } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import type { UsageDialect } from './dialect.ts'
import { TABLES } from './members.ts'
import { usage as wireUsage, type WireUsage } from './answer-schema.ts'
import { NAME } from './schema.ts'

/** Cached and reasoning tokens are included in the counts, in chat and in the IR. The total corrects the output, and is then derived. */
export function decodeUsage(wire: WireUsage, dialect?: UsageDialect): Usage {
  return dialect === undefined
    ? decodeCounts(wire, false)
    : decodeCounts(plainUsage(wire, dialect), dialect.reasoning === 'beside')
}

function decodeCounts(wire: WireUsage, isBeside: boolean): Usage {
  const usage: Draft<Usage> = {}
  const prompt = objectOf(wire.prompt_tokens_details)
  const input = readCount(wire.prompt_tokens, usage)
  const cacheRead = readCount(prompt.cached_tokens, usage)
  const cacheWrite5m = readCount(prompt.cache_write_tokens, usage)
  const { output, reasoning } = decodeOutput(wire, isBeside, usage, input, cacheRead)
  const searches = readCount(objectOf(wire.server_tool_use).web_search_requests, usage)
  const counts = { input, output, cacheRead, cacheWrite5m, reasoning, searches }
  return keep(defined(counts, usage), NAME, unknownOf(wire, USAGE))
}

const USAGE = known(wireUsage)

/** The total shows whether the completion includes its reasoning; without one, a count that is less than its reasoning does not. */
function decodeOutput(
  wire: WireUsage,
  isBeside: boolean,
  usage: Draft<Usage>,
  input: number | undefined,
  cacheRead = 0,
): Written {
  const output = readCount(wire.completion_tokens, usage)
  const reasoning = readCount(objectOf(wire.completion_tokens_details).reasoning_tokens, usage)
  const total = readTotal(wire.total_tokens, usage)
  if (total !== undefined) {
    // A prompt that is less than its cached tokens does not include them: then they are in the rest of the total.
    return cacheRead > (input ?? 0) ? { output, reasoning } : outputByTotal({ output, reasoning }, input, total, usage)
  }
  const isApart = isBeside || (reasoning ?? 0) > (output ?? 0)
  return {
    output: output !== undefined && isApart ? readCount(output + (reasoning ?? 0), usage) : output,
    reasoning,
  }
}

/** The counts of an upstream with its own form of usage, in the protocol's form. */
function plainUsage(wire: WireUsage, { reasoning, cached }: UsageDialect): WireUsage {
  let plain = wire
  if (reasoning === 'top') plain = countedAs(plain, 'reasoning_tokens', 'completion_tokens_details', 'reasoning_tokens')
  return cached === undefined ? plain : countedAs(plain, cached, 'prompt_tokens_details', 'cached_tokens')
}

/** The usage with a count moved to the member of the protocol, unless that exists. */
function countedAs(
  wire: WireUsage,
  own: string,
  group: 'prompt_tokens_details' | 'completion_tokens_details',
  member: 'cached_tokens' | 'reasoning_tokens',
): WireUsage {
  const { [own]: count, ...rest } = wire as { readonly [member: string]: unknown } // parsed JSON
  const details: { readonly [member: string]: unknown } = objectOf(wire[group])
  if (numberOf(count) === undefined || numberOf(details[member]) !== undefined) return wire
  return { ...rest, [group]: { ...details, [member]: count } }
}

export function encodeUsage(usage: Usage, losses: Losses, context: Encoding): WireUsage {
  reportUnsupported(usage, TABLES.usage, losses, context)
  const { input, output, cacheRead, reasoning, searches } = usage
  const cacheWrite = allCacheWrites(usage, NAME, losses)
  if (input === undefined) losses.added(['input'], 0, 'chat usage counts the prompt')
  if (output === undefined) losses.added(['output'], 0, 'chat usage counts the completion')
  const wire: Draft<WireUsage> = {
    prompt_tokens: input ?? 0,
    completion_tokens: output ?? 0,
    total_tokens: (input ?? 0) + (output ?? 0),
  }
  if (cacheRead !== undefined || cacheWrite !== undefined) {
    wire.prompt_tokens_details = defined({ cached_tokens: cacheRead, cache_write_tokens: cacheWrite })
  }
  if (reasoning !== undefined) wire.completion_tokens_details = { reasoning_tokens: reasoning }
  if (searches !== undefined) wire.server_tool_use = { web_search_requests: searches }
  return restore(NAME, usage, wire)
}
