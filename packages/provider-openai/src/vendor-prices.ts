import { perCount, usd, type Card, type TermPrices } from '@dragoman/core/provider'
import type { earlierModels } from './earlier-models.ts'
import type { models } from './models.ts'

type ModelName = (typeof models | typeof earlierModels)[number]['name']
type VendorPrices = Pick<Card, 'terms' | 'prices' | 'otherPrices' | 'ceiling'>

// developers.openai.com/api/docs/pricing (2026-11): each call of the search tool of a model that reasons.
const web_search = perCount(0.01)
const SEARCHES = usd({ web_search })

/** Flex has the prices of a batch, half of the standard ones. */
const HALF: TermPrices = { when: { tier: ['flex', 'batch'] }, factor: 0.5 }

/** openai.com/api-priority-processing (2026-11). Long context is excluded. */
function priority(prompt: number, cached: number, completion: number, others: Card['prices'] = SEARCHES): TermPrices {
  const tokens = usd({ prompt: [prompt], input_cache_read: [cached], completion: [completion] }, [272])
  return { when: { tier: 'priority' }, prices: { ...tokens, ...others } }
}

/** What the vendor's pages say beside the prices of the cards. */
export const VENDOR_PRICES: { readonly [Name in ModelName]?: VendorPrices } = {
  'gpt-5.6-sol': { prices: SEARCHES, terms: [HALF] },
  'gpt-5.6-terra': { prices: SEARCHES, terms: [HALF] },
  'gpt-5.6-luna': { prices: SEARCHES, terms: [HALF] },
  'gpt-5.5': { prices: SEARCHES, terms: [HALF, priority(12.5, 1.25, 75)] },
  'gpt-5.5-pro': { prices: SEARCHES, terms: [HALF] },
  'gpt-5.4': {
    prices: SEARCHES,
    terms: [
      {
        when: { tier: ['flex', 'batch'] },
        // The vendor rounds half of 0.25 up.
        prices: usd(
          { prompt: [1.25, 2.5], input_cache_read: [0.13, 0.25], completion: [7.5, 11.25], web_search },
          [272],
        ),
      },
      priority(5, 0.5, 30),
    ],
  },
  'gpt-5.4-mini': { prices: SEARCHES, terms: [HALF, priority(1.5, 0.15, 9)] },
  'gpt-5.4-nano': { prices: SEARCHES, terms: [HALF] },
  'gpt-5.3-codex': { prices: SEARCHES },
  'gpt-5.2': { prices: SEARCHES, terms: [HALF, priority(3.5, 0.35, 28)] },
  'gpt-5': { prices: SEARCHES, terms: [HALF, priority(2.5, 0.25, 20)] },
  'gpt-5-mini': { prices: SEARCHES, terms: [HALF, priority(0.45, 0.045, 3.6)] },
  'gpt-5-nano': { prices: SEARCHES, terms: [HALF] },
  // Without reasoning, the preview of the search tool costs more than the tool: $25 and $10 for a thousand calls.
  'gpt-4.1': { ceiling: usd({ web_search: perCount(0.025) }), terms: [priority(3.5, 0.875, 14, {})] },
  'gpt-image-2': { otherPrices: usd({ image_cache_read: 2 }) },
  'gpt-image-1.5': { otherPrices: usd({ image_cache_read: 2 }) },
  'gpt-image-1-mini': { otherPrices: usd({ image_cache_read: 0.25 }) },
}
