import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Usage } from '../../ir/usage.ts'
import { numberOf, objectOf } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import { NAME, type WireUsage } from './schema.ts'

/** The total is a view; cached and reasoning tokens are part of the counts here and there. */
export function decodeUsage(wire: WireUsage): Usage {
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details, completion_tokens_details, ...rest } =
    wire
  const { cached_tokens, cache_write_tokens, ...promptRest } = objectOf(prompt_tokens_details)
  const { reasoning_tokens, ...completionRest } = objectOf(completion_tokens_details)
  const input = numberOf(prompt_tokens)
  const output = numberOf(completion_tokens)
  const cacheRead = numberOf(cached_tokens)
  const cacheWrite5m = numberOf(cache_write_tokens)
  const reasoning = numberOf(reasoning_tokens)
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite5m === undefined ? {} : { cacheWrite5m }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...leftover(
      NAME,
      nest(nest(rest, 'prompt_tokens_details', promptRest), 'completion_tokens_details', completionRest),
    ),
  }
}

/** The losses stand at the response. */
export function encodeUsage(usage: Usage, { losses }: EncodeContext): WireUsage {
  for (const member of ['cacheWrite1h', 'toolPrompt', 'searches', 'modalities', 'estimated'] as const) {
    if (usage[member] !== undefined) losses.dropped(['usage', member], `chat usage has no ${member}`)
  }
  const { input, output, cacheRead, cacheWrite5m, reasoning } = usage
  if (input === undefined) losses.added(['usage', 'input'], 0, 'chat usage counts the prompt')
  if (output === undefined) losses.added(['usage', 'output'], 0, 'chat usage counts the completion')
  const prompt = {
    ...(cacheRead === undefined ? {} : { cached_tokens: cacheRead }),
    ...(cacheWrite5m === undefined ? {} : { cache_write_tokens: cacheWrite5m }),
  }
  return restore(NAME, usage, {
    prompt_tokens: input ?? 0,
    completion_tokens: output ?? 0,
    total_tokens: (input ?? 0) + (output ?? 0),
    ...(Object.keys(prompt).length === 0 ? {} : { prompt_tokens_details: prompt }),
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  })
}
