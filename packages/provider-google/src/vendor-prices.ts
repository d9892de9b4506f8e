import { perCount, perSecond, usd, when, type Card, type TermPrices } from '@dragoman/core/provider'
import type { models } from './models.ts'

type ModelName = (typeof models)[number]['name']
type VendorPrices = Pick<Card, 'terms' | 'prices' | 'otherPrices' | 'searches'>

// ai.google.dev/gemini-api/docs: pricing and optimization (2026-08 to 2026-10). A batch is no tier of these calls.
const FLEX: TermPrices = { when: { tier: 'flex' }, factor: 0.5 }
/** The second generation has half prices, but for its cache. */
const flexOf = (prices: Card['prices'] = {}): TermPrices => ({ when: { tier: 'flex' }, prices })
/** Of models for which a source has it. */
const PRIORITY: TermPrices = { when: { tier: 'priority' }, factor: 1.8 }

/** The second generation bills grounded prompts, and the third each search. */
const GROUNDED_PROMPTS = { searches: 'once' } as const
const web_search = perCount(0.035)

/** What the vendor's pages say beside the prices of `models.ts`. They replace its prices of the same item; an empty list removes one. */
export const VENDOR_PRICES: { readonly [Name in ModelName]?: VendorPrices } = {
  'gemini-3.6-flash': { terms: [FLEX] },
  // The vendor has one price for all input; the catalogue has the audio price of the model before.
  'gemini-3.5-flash': { terms: [FLEX, PRIORITY], otherPrices: { audio_input: [] } },
  'gemini-3.5-flash-lite': { terms: [FLEX] },
  'gemini-3.1-pro-preview': { terms: [FLEX, PRIORITY] },
  'gemini-3-flash-preview': { terms: [FLEX, PRIORITY], otherPrices: usd({ audio_cache_read: 0.1 }) },
  'gemini-2.5-pro': {
    ...GROUNDED_PROMPTS,
    terms: [
      flexOf(usd({ prompt: [0.625, 1.25], completion: [5, 7.5], input_cache_read: [0.125, 0.25], web_search }, [200])),
      PRIORITY,
    ],
  },
  'gemini-2.5-flash': {
    ...GROUNDED_PROMPTS,
    otherPrices: usd({ audio_cache_read: 0.1 }),
    terms: [
      flexOf(
        usd({
          prompt: 0.15,
          audio_input: 0.5,
          completion: 1.25,
          input_cache_read: 0.03,
          audio_cache_read: 0.1,
          web_search,
        }),
      ),
      PRIORITY,
    ],
  },
  'gemini-2.5-flash-lite': { ...GROUNDED_PROMPTS, otherPrices: usd({ audio_cache_read: 0.03 }) },
  // The catalogue has the prices of a batch, and the price of half a thousand pixels.
  'gemini-3.1-flash-image': {
    prices: usd({ prompt: 0.5, completion: 3 }),
    otherPrices: usd({ image_per_count_default_size: perCount(0.067) }),
  },
  'gemini-2.5-flash-image': GROUNDED_PROMPTS,
  'veo-3.1-generate-001': { otherPrices: usd({ audio_and_video: [when(perSecond(0.6), { resolution: '4k' })] }) },
  'veo-3.1-fast-generate-001': {
    prices: usd({ audio_and_video: perSecond(0.1) }),
    otherPrices: usd({
      audio_and_video: [when(perSecond(0.12), { resolution: '1080p' }), when(perSecond(0.3), { resolution: '4k' })],
    }),
  },
  'veo-3.1-lite-generate-preview': {
    otherPrices: usd({ audio_and_video: [when(perSecond(0.08), { resolution: '1080p' })] }),
  },
}
