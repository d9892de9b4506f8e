import type { Losses } from '../ir/loss.ts'

/** The words of a protocol for tiers of service, and the tiers. */
export type TierWords = ReadonlyMap<unknown, string>

/** The word for a tier; if there is none, that is reported. The losses are those of the request or the response. */
export function encodeTier(
  tier: string | undefined,
  words: TierWords,
  protocol: string,
  losses: Losses,
): string | undefined {
  if (tier === undefined) return undefined
  for (const [word, same] of words) if (same === tier) return word as string // a key of the table
  losses.dropped(['serviceTier'], `${protocol} has no such tier`)
  return undefined
}
