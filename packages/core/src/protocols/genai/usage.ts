import { leftover, restore } from '../../ir/extras.ts'
import type { Usage } from '../../ir/usage.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import { NAME, type WireCount, type WireUsage } from './schema.ts'

/** Thoughts and the prompts of tools stand beside their counts in genai, and are part of them here; the total is a view. */
export function decodeUsage(wire: WireUsage): Usage {
  const {
    promptTokenCount,
    candidatesTokenCount,
    totalTokenCount,
    cachedContentTokenCount,
    thoughtsTokenCount,
    ...more
  } = wire
  const { toolUsePromptTokenCount, promptTokensDetails, candidatesTokensDetails, cacheTokensDetails, ...rest } = more
  const input = decodeCounts(promptTokensDetails)
  const output = decodeCounts(candidatesTokensDetails)
  const cached = decodeCounts(cacheTokensDetails)
  const modalities = {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cached === undefined ? {} : { cached }),
  }
  const prompt = sum(promptTokenCount, toolUsePromptTokenCount)
  const answered = sum(candidatesTokenCount, thoughtsTokenCount)
  return {
    ...(prompt === undefined ? {} : { input: prompt }),
    ...(answered === undefined ? {} : { output: answered }),
    ...(isCount(cachedContentTokenCount) ? { cacheRead: cachedContentTokenCount } : {}),
    ...(isCount(thoughtsTokenCount) ? { reasoning: thoughtsTokenCount } : {}),
    ...(isCount(toolUsePromptTokenCount) ? { toolPrompt: toolUsePromptTokenCount } : {}),
    ...(Object.keys(modalities).length === 0 ? {} : { modalities }),
    ...leftover(NAME, {
      ...rest,
      ...(input === undefined && promptTokensDetails !== undefined ? { promptTokensDetails } : {}),
      ...(output === undefined && candidatesTokensDetails !== undefined ? { candidatesTokensDetails } : {}),
      ...(cached === undefined && cacheTokensDetails !== undefined ? { cacheTokensDetails } : {}),
    }),
  }
}

function sum(one: unknown, other: unknown): number | undefined {
  if (!isCount(one)) return isCount(other) ? other : undefined
  return isCount(other) ? one + other : one
}

function isCount(value: unknown): value is number {
  return typeof value === 'number'
}

/** Undefined for entries that say more than one count per modality. */
function decodeCounts(wire: readonly WireCount[] | undefined): JsonObject | undefined {
  if (!Array.isArray(wire) || wire.length === 0) return undefined
  const counts = new Map<string, number>()
  for (const each of wire as readonly unknown[]) {
    if (!isObject(each) || Object.keys(each).length !== 2) return undefined
    const { modality, tokenCount } = each
    if (typeof modality !== 'string' || !isCount(tokenCount) || counts.has(modality)) return undefined
    counts.set(modality, tokenCount)
  }
  return Object.fromEntries(counts)
}

/** The losses stand at the response. */
export function encodeUsage(usage: Usage, { losses }: EncodeContext): WireUsage {
  for (const member of ['cacheWrite5m', 'cacheWrite1h', 'searches', 'estimated'] as const) {
    if (usage[member] !== undefined) losses.dropped(['usage', member], `genai usage has no ${member}`)
  }
  const { cacheRead, reasoning, toolPrompt, modalities } = usage
  const input = atLeast('input', usage.input, toolPrompt, losses)
  const output = atLeast('output', usage.output, reasoning, losses)
  return restore(NAME, usage, {
    ...(input === undefined ? {} : { promptTokenCount: input - (toolPrompt ?? 0) }),
    ...(output === undefined ? {} : { candidatesTokenCount: output - (reasoning ?? 0) }),
    totalTokenCount: (input ?? 0) + (output ?? 0),
    ...(cacheRead === undefined ? {} : { cachedContentTokenCount: cacheRead }),
    ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
    ...(toolPrompt === undefined ? {} : { toolUsePromptTokenCount: toolPrompt }),
    ...encodeCounts('promptTokensDetails', modalities?.input),
    ...encodeCounts('candidatesTokensDetails', modalities?.output),
    ...encodeCounts('cacheTokensDetails', modalities?.cached),
  })
}

/** A count is never less than its detail. */
function atLeast(
  member: 'input' | 'output',
  count: number | undefined,
  detail: number | undefined,
  losses: EncodeContext['losses'],
): number | undefined {
  if (detail === undefined || (count !== undefined && count >= detail)) return count
  if (count === undefined) losses.added(['usage', member], detail, 'genai counts it beside its detail')
  else losses.changed(['usage', member], detail, 'a count holds its details')
  return detail
}

function encodeCounts(member: string, counts: JsonObject | undefined): { [member: string]: WireCount[] } {
  if (counts === undefined) return {}
  return {
    [member]: Object.entries(counts).map(([modality, tokenCount]) => ({ modality, tokenCount: Number(tokenCount) })),
  }
}
