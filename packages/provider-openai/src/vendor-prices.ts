import { perCount, usd, type Card, type CardSource, type TermPrices } from '@dragoman/core/provider'
import type { ModelName } from './model-name.ts'

type VendorPrices = Pick<Card, 'terms' | 'prices' | 'otherPrices' | 'ceiling' | 'sources'>

const DOCS = 'https://developers.openai.com/api/docs'
const PRICING = { facts: ['prices'], from: `${DOCS}/pricing`, date: '2026-11' } as const satisfies CardSource
const EARLIER_PRICING = { ...PRICING, date: '2026-09' } as const
const FAST_PRICING = { ...PRICING, from: 'https://openai.com/api-priority-processing/' } as const
const ULTRAFAST_MODE = { ...PRICING, from: `${DOCS}/guides/ultrafast-mode`, date: '2026-10' } as const
/** Of prices that others have copied from the vendor's page. */
const COPIES = { ...PRICING, from: 'https://github.com/simonw/llm-prices' } as const
const MODELS_DEV = { ...PRICING, from: 'https://github.com/anomalyco/models.dev' } as const

function page(name: string, date: string): CardSource {
  return { ...PRICING, from: `${DOCS}/models/${name}`, date }
}

/** Each call of the search tool of a model that reasons. */
const web_search = perCount(0.01)
const SEARCHES = usd({ web_search })

/** Flex has the prices of a batch, half of the standard ones. */
const HALF: TermPrices = { when: { tier: ['flex', 'batch'] }, factor: 0.5 }
/** Fast mode was called priority before. Requests and answers have both names (types of openai 7.53). */
const FAST_TIER = { tier: ['priority', 'fast'] }
const FAST: TermPrices = { when: FAST_TIER, factor: 2 }
const ULTRAFAST: TermPrices = { when: { tier: 'ultrafast' }, factor: 6 }

/** Of models before GPT-5.6. Long context is excluded. */
function priority(prompt: number, cached: number, completion: number, others: Card['prices'] = SEARCHES): TermPrices {
  const tokens = usd({ prompt: [prompt], input_cache_read: [cached], completion: [completion] }, [272])
  return { when: FAST_TIER, prices: { ...tokens, ...others } }
}

const REASONS = { prices: SEARCHES, sources: [PRICING] } as const satisfies VendorPrices
const WITH_FAST = { ...REASONS, sources: [PRICING, FAST_PRICING] } as const
const GPT_5_6 = {
  prices: SEARCHES,
  terms: [HALF, FAST],
  sources: [PRICING, EARLIER_PRICING],
} as const satisfies VendorPrices
const IMAGES = { sources: [PRICING] } as const satisfies VendorPrices
/** Of models that the types alone name, for a reasoning model's tool. */
const NAMED = {} as const satisfies VendorPrices

/** What the vendor's pages say beside the prices of the cards. */
export const VENDOR_PRICES: { readonly [Name in ModelName]: VendorPrices } = {
  'gpt-6-astra': {
    prices: SEARCHES,
    terms: [HALF, FAST, ULTRAFAST],
    sources: [PRICING, EARLIER_PRICING, ULTRAFAST_MODE],
  },
  'gpt-6.1-sol': {
    prices: SEARCHES,
    terms: [HALF, FAST, ULTRAFAST],
    sources: [PRICING, page('gpt-6.1-sol', '2026-10')],
  },
  'gpt-6.1-terra': { prices: SEARCHES, terms: [HALF, FAST], sources: [PRICING, page('gpt-6.1-terra', '2026-10')] },
  'gpt-6-sol': {
    prices: SEARCHES,
    terms: [HALF, FAST],
    sources: [PRICING, { ...PRICING, from: 'https://docs.litellm.ai/blog/gpt_6_sol_luna', date: '2026-09' }],
  },
  'gpt-6-luna': { prices: SEARCHES, terms: [HALF, FAST], sources: [PRICING, page('gpt-6-luna', '2026-10')] },
  'gpt-6-rosalind': NAMED,
  'gpt-rosalind-research': NAMED,
  'gpt-6-cyber': NAMED,
  'gpt-5.6-cyber': NAMED,
  'gpt-daybreak-blue-latest': NAMED,
  'gpt-daybreak-red-latest': NAMED,
  'gpt-5.6-sol': GPT_5_6,
  'gpt-5.6-terra': GPT_5_6,
  'gpt-5.6-luna': GPT_5_6,
  'gpt-5.5': { ...WITH_FAST, terms: [HALF, priority(12.5, 1.25, 75)] },
  'gpt-5.5-pro': { ...REASONS, terms: [HALF] },
  'gpt-5.4': {
    ...WITH_FAST,
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
  'gpt-5.4-mini': { ...WITH_FAST, terms: [HALF, priority(1.5, 0.15, 9)] },
  'gpt-5.4-nano': { ...REASONS, terms: [HALF] },
  'gpt-5.3-codex': REASONS,
  'gpt-5.2': { ...WITH_FAST, terms: [HALF, priority(3.5, 0.35, 28)] },
  'gpt-5.2-pro': { prices: SEARCHES, sources: [PRICING, COPIES] },
  'gpt-5.1': { prices: SEARCHES, sources: [PRICING, COPIES] },
  'gpt-5': { ...WITH_FAST, terms: [HALF, priority(2.5, 0.25, 20)] },
  'gpt-5-pro': { prices: SEARCHES, sources: [PRICING, COPIES] },
  'gpt-5-mini': { ...WITH_FAST, terms: [HALF, priority(0.45, 0.045, 3.6)] },
  'gpt-5-nano': { ...REASONS, terms: [HALF] },
  'o3-pro': { prices: SEARCHES, sources: [PRICING, COPIES] },
  // Others have copied an earlier price of this model.
  o3: { prices: SEARCHES, sources: [PRICING, MODELS_DEV] },
  // Without reasoning, the preview of the search tool costs more than the tool: $25 and $10 for a thousand calls.
  'gpt-4.1': { ...withoutReasoning([PRICING, FAST_PRICING]), terms: [priority(3.5, 0.875, 14, {})] },
  'gpt-4.1-mini': withoutReasoning([PRICING, COPIES]),
  'gpt-4o': withoutReasoning([PRICING, COPIES]),
  'gpt-4o-mini': withoutReasoning([PRICING, COPIES]),
  'gpt-image-2.6-sunburst': IMAGES,
  'gpt-image-2.6-flare': IMAGES,
  'gpt-image-2.5-sunburst': IMAGES,
  'gpt-image-2.5-flare': IMAGES,
  'chatgpt-image-latest': NAMED,
  'gpt-image-2': { ...IMAGES, otherPrices: usd({ image_cache_read: 2 }) },
  'gpt-image-1.5': { ...IMAGES, otherPrices: usd({ image_cache_read: 2 }) },
  'gpt-image-1-mini': { ...IMAGES, otherPrices: usd({ image_cache_read: 0.25 }) },
}

function withoutReasoning(sources: readonly CardSource[]): VendorPrices {
  return { ceiling: usd({ web_search: perCount(0.025) }), sources }
}
