import type { Finish, Part, Settings } from '@dragoman/core'
import { firstTokens, tokensOfPart } from './usage.ts'

export interface Bounded {
  readonly parts: readonly Part[]
  readonly finish: Finish
}

/** The response within the limits of the settings. */
export function bound(parts: readonly Part[], finish: Finish, { stop = [], maxTokens }: Settings): Bounded {
  const stopped = boundByStop({ parts, finish }, stop)
  return maxTokens === undefined ? stopped : boundByLength(stopped, maxTokens)
}

/** Ends the response at the first stop sequence in a text, and reports which one it was. */
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

/** Text that does not fit is cut. A call that does not fit is left out, because half a call is useless. */
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
