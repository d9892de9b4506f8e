import type { ModelRequest, Part, Path, RequestLoss } from '@dragoman/core'
import { costOf, type Card } from '@dragoman/core/provider'
import { partsTokens, PER_MESSAGE } from '../bodies/estimate.ts'
import { textTokens } from '../bodies/text-tokens.ts'
import { dollars } from '../metering/dollars.ts'
import type { LostCache } from './explanation.ts'

export function losesCache(losses: readonly RequestLoss[]): boolean {
  return losses.some(({ features }) => features?.includes('cache'))
}

/** What the lost cache marks of a request cost. Undefined if none is lost. */
export function lostCacheOf(
  card: Card,
  request: ModelRequest,
  losses: readonly RequestLoss[],
  promptTokens: number,
): LostCache | undefined {
  const lostPaths = new Set(losses.flatMap(({ features, path }) => (features?.includes('cache') ? keyOf(path) : [])))
  const marks = marksOf(request)
  const isLost = ({ path }: Mark): boolean =>
    // The empty path stands for losses that were too many to list.
    [...path, 'cache', ''].some((_key, index, whole) => lostPaths.has(keyOf(whole.slice(0, index))))
  const lost = marks.filter(isLost)
  const last = lost.at(-1)
  if (last === undefined) return undefined
  const kept = marks.findLast((mark) => !isLost(mark))
  const tokens = Math.max(0, last.tokens - (kept?.tokens ?? 0))
  const nanos = savingOf(card, tokens, Math.max(promptTokens, last.tokens))
  return {
    marks: lost.length,
    tokens,
    ...(nanos === undefined ? {} : { nanosPerTurn: nanos, dollarsPerTurn: dollars(nanos) }),
    text: `Without the marks, about ${tokens} tokens are billed as prompt in each turn, not as cache reads. It is less if the upstream caches by itself.`,
  }
}

/** The price of tokens as a part of the prompt, less their price as cache reads. */
function savingOf(card: Card, tokens: number, input: number): number | undefined {
  const without = costOf(card, { input })
  const cached = costOf(card, { input, cacheRead: tokens })
  return without === undefined || cached === undefined ? undefined : Math.max(0, without.total - cached.total)
}

/** A cache mark, and the estimated tokens of the prefix that it ends. */
interface Mark {
  readonly path: Path
  readonly tokens: number
}

/** In the order of the prompt: tools are before the conversation. */
function marksOf({ tools = [], messages }: ModelRequest): readonly Mark[] {
  const marks: Mark[] = []
  let tokens = 0
  for (const [index, tool] of tools.entries()) {
    tokens += textTokens(JSON.stringify(tool))
    if ('cache' in tool && tool.cache !== undefined) marks.push({ path: ['tools', index], tokens })
  }
  for (const [turn, { parts }] of messages.entries()) {
    tokens += PER_MESSAGE
    for (const [index, part] of parts.entries()) {
      tokens += partsTokens([part])
      for (const path of markedIn(part)) marks.push({ path: ['messages', turn, 'parts', index, ...path], tokens })
    }
  }
  return marks
}

/** The paths of the marks of a part and of the output in it. */
function markedIn(part: Part): readonly Path[] {
  const inner =
    part.type === 'tool-result'
      ? (part.output.parts ?? []).flatMap(({ cache }, index) =>
          cache === undefined ? [] : [['output', 'parts', index]],
        )
      : []
  return part.cache === undefined ? inner : [...inner, []]
}

function keyOf(path: Path): string {
  return JSON.stringify(path)
}
