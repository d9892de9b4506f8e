import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Usage } from '../../ir/usage.ts'
import { numberOf, objectOf } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import { NAME, type WireUsage } from './schema.ts'

/** Cached tokens stand beside the input in messages, and are part of it here. */
export function decodeUsage(wire: WireUsage): Usage {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens, ...more } = wire
  const { cache_creation, server_tool_use, ...rest } = more
  const { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens, ...creationRest } = objectOf(cache_creation)
  const { web_search_requests, ...toolRest } = objectOf(server_tool_use)
  const total = numberOf(cache_creation_input_tokens)
  const write5m = numberOf(ephemeral_5m_input_tokens)
  const write1h = numberOf(ephemeral_1h_input_tokens)
  const searches = numberOf(web_search_requests)
  const whole = write5m === undefined && write1h === undefined
  const cacheWrite5m = whole ? total : (write5m ?? 0)
  const cacheWrite1h = whole ? (total === undefined ? undefined : 0) : (write1h ?? 0)
  const read = numberOf(cache_read_input_tokens)
  const fresh = numberOf(input_tokens)
  const output = numberOf(output_tokens)
  return {
    ...(fresh === undefined ? {} : { input: fresh + (read ?? 0) + (cacheWrite5m ?? 0) + (cacheWrite1h ?? 0) }),
    ...(output === undefined ? {} : { output }),
    ...(read === undefined ? {} : { cacheRead: read }),
    ...(cacheWrite5m === undefined ? {} : { cacheWrite5m }),
    ...(cacheWrite1h === undefined ? {} : { cacheWrite1h }),
    ...(searches === undefined ? {} : { searches }),
    ...leftover(NAME, nest(nest(rest, 'cache_creation', creationRest), 'server_tool_use', toolRest)),
  }
}

/** The losses stand at the response. */
export function encodeUsage(usage: Usage | undefined, { losses }: EncodeContext): WireUsage {
  if (usage === undefined) {
    losses.added(['usage'], { input: 0, output: 0 }, 'messages answers have usage')
    return { input_tokens: 0, output_tokens: 0 }
  }
  for (const member of ['reasoning', 'toolPrompt', 'modalities', 'estimated'] as const) {
    if (usage[member] !== undefined) losses.dropped(['usage', member], `messages usage has no ${member}`)
  }
  const { cacheRead, cacheWrite5m, cacheWrite1h, searches } = usage
  const cached = (cacheRead ?? 0) + (cacheWrite5m ?? 0) + (cacheWrite1h ?? 0)
  if (usage.input === undefined) losses.added(['usage', 'input'], cached, 'messages usage counts the input')
  if (usage.output === undefined) losses.added(['usage', 'output'], 0, 'messages usage counts the output')
  const writes = cacheWrite5m !== undefined || cacheWrite1h !== undefined
  if (writes && cacheWrite5m === undefined)
    losses.added(['usage', 'cacheWrite5m'], 0, 'messages counts both kinds of cache writes')
  if (writes && cacheWrite1h === undefined)
    losses.added(['usage', 'cacheWrite1h'], 0, 'messages counts both kinds of cache writes')
  return restore(NAME, usage, {
    input_tokens: Math.max(0, (usage.input ?? cached) - cached),
    output_tokens: usage.output ?? 0,
    ...(cacheRead === undefined ? {} : { cache_read_input_tokens: cacheRead }),
    ...(writes
      ? {
          cache_creation_input_tokens: (cacheWrite5m ?? 0) + (cacheWrite1h ?? 0),
          cache_creation: {
            ephemeral_5m_input_tokens: cacheWrite5m ?? 0,
            ephemeral_1h_input_tokens: cacheWrite1h ?? 0,
          },
        }
      : {}),
    ...(searches === undefined ? {} : { server_tool_use: { web_search_requests: searches } }),
  })
}
