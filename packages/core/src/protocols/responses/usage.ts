import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { readCount, readTotal } from '../../ir/counts.ts'
import { allCacheWrites, outputByTotal, type Usage } from '../../ir/usage.ts'
import type { Draft } from '../../lib/draft.ts'
import { objectOf } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
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
  if (input !== undefined) usage.input = input
  if (output !== undefined) usage.output = output
  if (cacheRead !== undefined) usage.cacheRead = cacheRead
  if (cacheWrite5m !== undefined) usage.cacheWrite5m = cacheWrite5m
  if (reasoning !== undefined) usage.reasoning = reasoning
  return keep(usage, NAME, unknownOf(wire, USAGE))
}

const USAGE = known(wireUsage)

/** Clients need all counts. */
export function encodeUsage(usage: Usage | undefined, losses: Losses, context: Encoding): WireUsage | null {
  if (usage === undefined) return null
  reportUnsupported(usage, TABLES.usage, losses, context)
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
