import { perSecond, usd, when, type Card, type TermPrices } from '@dragoman/core/provider'
import type { models } from './models.ts'

type ModelName = (typeof models)[number]['name']
type VendorPrices = Pick<Card, 'terms' | 'otherPrices' | 'searches'>

// ai.google.dev/gemini-api/docs: pricing and optimization (2026-10). A batch is no tier of these calls.
const FLEX: TermPrices = { when: { tier: 'flex' }, factor: 0.5 }
/** The vendor says 75 to 100 percent more; the price table that the catalogue is from has 80 percent for these models (2026-08). */
const PRIORITY: TermPrices = { when: { tier: 'priority' }, factor: 1.8 }

/** The second generation bills grounded prompts, and the third each search. */
const GROUNDED_PROMPTS = { searches: 'once' } as const

/** What the vendor's pages say beside the prices of `models.ts`. They replace its other prices of the same item; an empty list removes one. */
export const VENDOR_PRICES: { readonly [Name in ModelName]?: VendorPrices } = {
  'gemini-3.6-flash': { terms: [FLEX] },
  // The vendor has one price for all input; the catalogue has the audio price of the model before.
  'gemini-3.5-flash': { terms: [FLEX, PRIORITY], otherPrices: { audio_input: [] } },
  'gemini-3.5-flash-lite': { terms: [FLEX] },
  'gemini-3.1-pro-preview': { terms: [FLEX, PRIORITY] },
  'gemini-3-flash-preview': { terms: [FLEX, PRIORITY], otherPrices: usd({ audio_cache_read: 0.1 }) },
  'gemini-2.5-pro': { terms: [FLEX], ...GROUNDED_PROMPTS },
  'gemini-2.5-flash': { terms: [FLEX], otherPrices: usd({ audio_cache_read: 0.1 }), ...GROUNDED_PROMPTS },
  'gemini-2.5-flash-lite': { terms: [FLEX], otherPrices: usd({ audio_cache_read: 0.03 }), ...GROUNDED_PROMPTS },
  'gemini-2.5-flash-image': GROUNDED_PROMPTS,
  'veo-3.1-generate-001': { otherPrices: usd({ audio_and_video: [when(perSecond(0.6), { resolution: '4k' })] }) },
  'veo-3.1-lite-generate-preview': {
    otherPrices: usd({ audio_and_video: [when(perSecond(0.08), { resolution: '1080p' })] }),
  },
}
