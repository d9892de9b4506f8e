import type { Losses } from '../../ir/loss.ts'

/** The tiers of answers, which their usage names. Requests have other words. */
const TIER_OF: ReadonlyMap<unknown, string> = new Map([
  ['standard', 'default'],
  ['priority', 'priority'],
  ['batch', 'batch'],
])

/** Undefined for an unknown word, which stays with the unknown members of usage. */
export function decodeTier(word: unknown): string | undefined {
  return TIER_OF.get(word)
}

/** The losses are those of the response. */
export function encodeTier(tier: string | undefined, losses: Losses): string | undefined {
  if (tier === undefined) return undefined
  for (const [word, same] of TIER_OF) if (same === tier) return word as string // a key of the table
  losses.dropped(['serviceTier'], 'messages has no such tier')
  return undefined
}
