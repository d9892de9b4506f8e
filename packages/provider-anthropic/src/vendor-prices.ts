import { perCount, usd, type Card, type TermPrices } from '@dragoman/core/provider'
import type { models } from './models.ts'

type ModelName = (typeof models)[number]['name']
type VendorPrices = Pick<Card, 'terms' | 'prices'>

// platform.claude.com/docs: about-claude/pricing, build-with-claude/data-residency and build-with-claude/fast-mode (2026-11).
// A priority tier is a contract, and has no listed price.
const BATCH: TermPrices = { when: { tier: 'batch' }, factor: 0.5 }
/** Of models since Opus 4.6. Earlier ones refuse the member. */
const US: TermPrices = { when: { geo: 'us' }, factor: 1.1 }
/** Caching and regions are multiplied on top. Only these models have it; on others it is refused. */
const FAST: TermPrices = { when: { speed: 'fast' }, factor: 2 }

const SINCE_OPUS_4_6 = { terms: [BATCH, US] } as const satisfies VendorPrices

/** Terms for models that are newer than this package. */
export const UNLISTED_TERMS: readonly TermPrices[] = SINCE_OPUS_4_6.terms

/** What the vendor's pages say beside the prices of `models.ts`. */
export const VENDOR_PRICES: { readonly [Name in ModelName]: VendorPrices } = {
  'claude-opus-5': { terms: [BATCH, US, FAST] },
  'claude-fable-5': SINCE_OPUS_4_6,
  'claude-sonnet-5': SINCE_OPUS_4_6,
  'claude-opus-4.8': { terms: [BATCH, US, FAST] },
  'claude-opus-4.7': SINCE_OPUS_4_6,
  'claude-sonnet-4.6': SINCE_OPUS_4_6,
  'claude-sonnet-4.5': { terms: [BATCH] },
  // Searches cost the same with every model; the catalogue has no price for this one.
  'claude-haiku-4.5': { terms: [BATCH], prices: usd({ web_search: perCount(0.01) }) },
}
