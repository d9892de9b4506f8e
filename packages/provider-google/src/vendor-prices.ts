import { perCount, perSecond, usd, when, type Card, type CardSource, type TermPrices } from '@dragoman/core/provider'
import type { ModelName } from './model-name.ts'

type VendorPrices = Pick<Card, 'terms' | 'prices' | 'otherPrices' | 'searches' | 'sources'>

const DOCS = 'https://ai.google.dev/gemini-api/docs'

/** The vendor's page of prices, as it was at these times. */
function pricing(...dates: readonly string[]): readonly CardSource[] {
  return dates.map((date) => ({ facts: ['prices'], from: `${DOCS}/pricing`, date }))
}
const OPTIMIZATION: CardSource = { facts: ['prices'], from: `${DOCS}/optimization`, date: '2026-10' }

function copied(from: string, date: string): CardSource {
  return { facts: ['prices'], from, date }
}

// A batch is not a tier of these calls.
const FLEX: TermPrices = { when: { tier: 'flex' }, factor: 0.5 }
/** The second generation has half prices, but for its cache. */
const flexOf = (prices: Card['prices'] = {}): TermPrices => ({ when: { tier: 'flex' }, prices })
/** Of models for which a source has it. */
const PRIORITY: TermPrices = { when: { tier: 'priority' }, factor: 1.8 }

/** The second generation bills grounded prompts, and the third each search. */
const GROUNDED_PROMPTS = { searches: 'once' } as const
const web_search = perCount(0.035)

/** What the vendor's pages say beside the prices of the cards. They replace its prices of the same item; an empty list removes one. */
export const VENDOR_PRICES: { readonly [Name in ModelName]?: VendorPrices } = {
  'gemini-4-argon': { sources: [copied('https://github.com/BerriAI/litellm/discussions/46238', '2026-10')] },
  'gemini-3.8-flash': { terms: [FLEX], sources: [...pricing('2026-10'), OPTIMIZATION] },
  'gemini-3.7-flash': {
    terms: [FLEX],
    sources: [copied('https://github.com/anomalyco/models.dev', '2026-11'), OPTIMIZATION],
  },
  'gemini-3.1-flash-lite': { sources: [copied('https://github.com/anomalyco/models.dev', '2026-11')] },
  'gemini-3.1-pro-preview-customtools': { sources: [copied('https://github.com/anomalyco/models.dev', '2026-11')] },
  'gemma-4-31b-it': { sources: pricing('2026-10') },
  'gemma-4-26b-a4b-it': { sources: pricing('2026-10') },
  'gemini-nano-banana-2.1': { sources: [copied('https://github.com/BerriAI/litellm/discussions/44983', '2026-10')] },
  'gemini-3.6-flash': { terms: [FLEX], sources: [OPTIMIZATION] },
  // The vendor has one price for all input; the catalogue has the audio price of the model before.
  'gemini-3.5-flash': {
    terms: [FLEX, PRIORITY],
    otherPrices: { audio_input: [] },
    sources: [OPTIMIZATION, ...pricing('2026-08', '2026-10')],
  },
  'gemini-3.5-flash-lite': { terms: [FLEX], sources: [OPTIMIZATION] },
  'gemini-3.1-pro-preview': { terms: [FLEX, PRIORITY], sources: [OPTIMIZATION, ...pricing('2026-08')] },
  'gemini-3-flash-preview': {
    terms: [FLEX, PRIORITY],
    otherPrices: usd({ audio_cache_read: 0.1 }),
    sources: [OPTIMIZATION, ...pricing('2026-08', '2026-10')],
  },
  'gemini-2.5-pro': {
    ...GROUNDED_PROMPTS,
    terms: [
      flexOf(usd({ prompt: [0.625, 1.25], completion: [5, 7.5], input_cache_read: [0.125, 0.25], web_search }, [200])),
      PRIORITY,
    ],
    sources: pricing('2026-08-04', '2026-09'),
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
    sources: pricing('2026-08-04', '2026-09', '2026-10'),
  },
  'gemini-2.5-flash-lite': {
    ...GROUNDED_PROMPTS,
    otherPrices: usd({ audio_cache_read: 0.03 }),
    sources: pricing('2026-09', '2026-10'),
  },
  // The catalogue has the prices of a batch, and the price of half a thousand pixels.
  'gemini-3.1-flash-image': {
    prices: usd({ prompt: 0.5, completion: 3 }),
    otherPrices: usd({ image_per_count_default_size: perCount(0.067) }),
    sources: pricing('2026-08'),
  },
  'gemini-2.5-flash-image': { ...GROUNDED_PROMPTS, sources: pricing('2026-09') },
  'veo-3.1-generate-001': {
    otherPrices: usd({ audio_and_video: [when(perSecond(0.6), { resolution: '4k' })] }),
    sources: pricing('2026-10'),
  },
  'veo-3.1-fast-generate-001': {
    prices: usd({ audio_and_video: perSecond(0.1) }),
    otherPrices: usd({
      audio_and_video: [when(perSecond(0.12), { resolution: '1080p' }), when(perSecond(0.3), { resolution: '4k' })],
    }),
    sources: pricing('2026-10'),
  },
  'veo-3.1-lite-generate-preview': {
    otherPrices: usd({ audio_and_video: [when(perSecond(0.08), { resolution: '1080p' })] }),
    sources: pricing('2026-10'),
  },
}
