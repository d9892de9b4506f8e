import type { Finish, Part, Settings } from '@dragoman/core'
import { firstTokens, tokensOfPart } from './usage.ts'

export interface Bounded {
  readonly parts: readonly Part[]
  readonly finish: Finish
}

/** The answer as far as the settings let it go. */
export function bound(parts: readonly Part[], finish: Finish, { stop = [], maxTokens }: Settings): Bounded {
  const stopped = boundByStop({ parts, finish }, stop)
  return maxTokens === undefined ? stopped : boundByLength(stopped, maxTokens)
}

/** Up to the first stop sequence in a text; which one that is, is told. */
function boundByStop({ parts, finish }: Bounded, stop: readonly string[]): Bounded {
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text') continue
    const [first] = stop
      .map((sequence) => ({ sequence, at: sequence === '' ? -1 : part.text.indexOf(sequence) }))
      .filter(({ at }) => at >= 0)
      .sort((left, right) => left.at - right.at)
    if (first === undefined) continue
    const kept = { ...part, text: part.text.slice(0, first.at) }
    return {
      parts: [...parts.slice(0, index), ...(kept.text === '' ? [] : [kept])],
      finish: { reason: 'stop-sequence', sequence: first.sequence },
    }
  }
  return { parts, finish }
}

/** A part that does not fit is cut if it is words, and left out if it is a call: half a call is of no use. */
function boundByLength({ parts, finish }: Bounded, maxTokens: number): Bounded {
  let left = maxTokens
  for (const [index, part] of parts.entries()) {
    const cost = tokensOfPart(part)
    if (cost <= left) {
      left -= cost
      continue
    }
    const cut = 'text' in part ? { ...part, text: firstTokens(part.text, left) } : undefined
    const rest = cut === undefined || cut.text === '' ? [] : [cut]
    return { parts: [...parts.slice(0, index), ...rest], finish: { reason: 'length' } }
  }
  return { parts, finish }
}
