import type { Losses } from '../../ir/loss.ts'
import type { JsonObject } from '../../lib/json.ts'

const TIER_OF: ReadonlyMap<unknown, string> = new Map([
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
  const serviceTier = TIER_OF.get(word)
  return serviceTier === undefined ? { rest: others } : { serviceTier, rest }
}

export function encodeTier(tier: string, losses: Losses): string | undefined {
  for (const [word, same] of TIER_OF) if (same === tier) return word as string // a key of the table
  losses.dropped(['serviceTier'], 'genai has no such tier')
  return undefined
}
