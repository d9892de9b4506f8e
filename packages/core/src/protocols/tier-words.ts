import type { Losses } from '../ir/loss.ts'
import type { PriceTerms } from '../ir/usage.ts'

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

/** Words for a tier that has another name in prices. OpenAI answers `fast` with `priority`. */
const PRICED_AS: ReadonlyMap<string, string> = new Map([
  ['default', 'standard'],
  ['on_demand', 'standard'],
  ['fast', 'priority'],
  ['auto', ''],
])

/** The terms of price that a word for a tier stands for. Undefined if it leaves the choice to the vendor. */
export function tierTerms(word: unknown): PriceTerms | undefined {
  const given = typeof word === 'string' ? word.toLowerCase() : ''
  const tier = PRICED_AS.get(given) ?? given
  return tier === '' ? undefined : { tier }
}
