import type { JsonObject } from '../../lib/json.ts'
import type { TierWords } from '../tier-words.ts'

export const TIERS: TierWords = new Map([
  ['standard', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
])

/** A tier with an unknown word stays with the other unknown members. */
export function decodeTier(others: JsonObject): {
  readonly serviceTier?: string | undefined
  readonly rest: JsonObject
} {
  const { serviceTier: word, ...rest } = others
  const serviceTier = TIERS.get(word)
  return serviceTier === undefined ? { rest: others } : { serviceTier, rest }
}
