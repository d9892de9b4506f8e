import { perCount, usd, type Card, type CardSource, type TermPrices } from '@dragoman/core/provider'
import type { ModelName } from './model-name.ts'

type VendorPrices = Pick<Card, 'terms' | 'prices' | 'sources'>

const DOCS = 'https://platform.claude.com/docs/en'
const PRICING = {
  facts: ['prices'],
  from: `${DOCS}/about-claude/pricing`,
  date: '2026-11',
} as const satisfies CardSource
/** As it was after the models of October. */
const OWN_PRICING = { ...PRICING, date: '2026-10' } as const
const RESIDENCY = { ...PRICING, from: `${DOCS}/build-with-claude/data-residency` } as const
const FAST_MODE = { ...PRICING, from: `${DOCS}/build-with-claude/fast-mode` } as const

// A priority tier is a contract, and has no listed price.
const BATCH: TermPrices = { when: { tier: 'batch' }, factor: 0.5 }
/** Of models since Opus 4.6. Earlier ones refuse the member. */
const US: TermPrices = { when: { geo: 'us' }, factor: 1.1 }
/** Caching and regions are multiplied on top. Only these models have it; on others it is refused. */
const FAST: TermPrices = { when: { speed: 'fast' }, factor: 2 }

const BEFORE = { terms: [BATCH], sources: [PRICING] } as const satisfies VendorPrices
const SINCE_OPUS_4_6 = { terms: [BATCH, US], sources: [PRICING, RESIDENCY] } as const satisfies VendorPrices
const WITH_FAST = { terms: [BATCH, US, FAST], sources: [PRICING, RESIDENCY, FAST_MODE] } as const satisfies VendorPrices

/** The source for models that the catalogue does not have: all of their prices are on the vendor's pages. */
function listed(terms: VendorPrices): VendorPrices {
  return { ...terms, sources: [...(terms.sources ?? []), OWN_PRICING] }
}

/** Terms for models that are newer than this package. */
export const UNLISTED_TERMS: Pick<Card, 'terms' | 'sources'> = SINCE_OPUS_4_6

/** What the vendor's pages say beside the prices of the cards. */
export const VENDOR_PRICES: { readonly [Name in ModelName]: VendorPrices } = {
  'claude-fable-5.2': SINCE_OPUS_4_6,
  'claude-mythos-5.2': SINCE_OPUS_4_6,
  'claude-haiku-5.5': listed(SINCE_OPUS_4_6),
  'claude-sonnet-5.5': listed(SINCE_OPUS_4_6),
  'claude-opus-5.5': listed(WITH_FAST),
  'claude-fable-5.1': listed(SINCE_OPUS_4_6),
  'claude-mythos-5.1': listed(SINCE_OPUS_4_6),
  'claude-opus-5': WITH_FAST,
  'claude-fable-5': SINCE_OPUS_4_6,
  'claude-mythos-5': listed(SINCE_OPUS_4_6),
  'claude-sonnet-5': SINCE_OPUS_4_6,
  'claude-opus-4.8': WITH_FAST,
  'claude-opus-4.7': SINCE_OPUS_4_6,
  'claude-mythos-preview': SINCE_OPUS_4_6,
  'claude-sonnet-4.6': SINCE_OPUS_4_6,
  'claude-opus-4.6': listed(SINCE_OPUS_4_6),
  'claude-opus-4.5': listed(BEFORE),
  'claude-sonnet-4.5': BEFORE,
  // Searches cost the same with every model; the catalogue has no price for this one.
  'claude-haiku-4.5': { ...BEFORE, prices: usd({ web_search: perCount(0.01) }) },
}
