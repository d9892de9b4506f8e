import { usd, type Card, type CardSource } from '@dragoman/core/provider'

const GPT = { owner: 'openai', input: ['text', 'image', 'file'], output: ['text'], reasoning: {} } as const
const LARGE = { context: 1_050_000, maxOutput: 128_000 } as const
const IMAGE = { owner: 'openai', input: ['text', 'image'], output: ['image'] } as const

/** The page of a model with its limits. */
function page(name: string, date: string): CardSource {
  return { facts: ['name', 'limits'], from: `https://developers.openai.com/api/docs/models/${name}`, date }
}

/** Models of which only their names are known. */
const NAMED: readonly CardSource[] = [{ facts: ['name'], from: 'openai 7.53.0', date: '2026-11-05' }]
const GUIDE: CardSource = {
  facts: ['name', 'limits'],
  from: 'https://developers.openai.com/api/docs/guides/image-generation',
  date: '2026-11',
}

/** Prices of images, which no model has changed since GPT Image 2. */
const IMAGE_PRICES = {
  prices: usd({ prompt: 5, input_cache_read: 1.25, image: 30 }),
  otherPrices: usd({ image_input: 8, image_cache_read: 2 }),
} as const

/** Models that the catalogue of `models.ts` does not have yet. Their ranks follow the rule of scripts/quality.ts. */
export const newerModels = [
  {
    name: 'gpt-6-astra',
    display: 'OpenAI: GPT-6 Astra',
    released: '2026-09-03',
    quality: 100,
    ...GPT,
    ...LARGE,
    prices: usd(
      { prompt: [10, 20], completion: [50, 75], input_cache_read: [1, 2], input_cache_write: [12.5, 25] },
      [272],
    ),
    sources: [page('gpt-6-astra', '2026-09')],
  },
  {
    name: 'gpt-6.1-sol',
    display: 'OpenAI: GPT-6.1 Sol',
    released: '2026-09-29',
    quality: 99,
    ...GPT,
    ...LARGE,
    prices: usd(
      { prompt: [2, 4], completion: [10, 15], input_cache_read: [0.1, 0.2], input_cache_write: [2.5, 5] },
      [272],
    ),
    sources: [page('gpt-6.1-sol', '2026-10')],
  },
  {
    name: 'gpt-6.1-terra',
    display: 'OpenAI: GPT-6.1 Terra',
    released: '2026-10-26',
    quality: 92,
    ...GPT,
    ...LARGE,
    prices: usd(
      { prompt: [1, 2], completion: [5, 7.5], input_cache_read: [0.05, 0.1], input_cache_write: [1.25, 2.5] },
      [272],
    ),
    sources: [page('gpt-6.1-terra', '2026-10')],
  },
  {
    name: 'gpt-6-sol',
    display: 'OpenAI: GPT-6 Sol',
    released: '2026-09-22',
    quality: 98,
    ...GPT,
    ...LARGE,
    prices: usd(
      { prompt: [2, 4], completion: [10, 15], input_cache_read: [0.2, 0.4], input_cache_write: [2.5, 5] },
      [272],
    ),
    sources: [{ facts: ['name', 'limits'], from: 'https://docs.litellm.ai/blog/gpt_6_sol_luna', date: '2026-09' }],
  },
  {
    name: 'gpt-6-luna',
    display: 'OpenAI: GPT-6 Luna',
    released: '2026-09-22',
    quality: 74,
    ...GPT,
    ...LARGE,
    prices: usd(
      { prompt: [0.1, 0.2], completion: [0.5, 0.75], input_cache_read: [0.01, 0.02], input_cache_write: [0.125, 0.25] },
      [272],
    ),
    sources: [page('gpt-6-luna', '2026-10')],
  },
  { name: 'gpt-6-rosalind', display: 'OpenAI: GPT-6 Rosalind', quality: 98, ...GPT, sources: NAMED },
  { name: 'gpt-rosalind-research', display: 'OpenAI: GPT-Rosalind Research', quality: 95, ...GPT, sources: NAMED },
  { name: 'gpt-6-cyber', display: 'OpenAI: GPT-6 Cyber', quality: 98, ...GPT, sources: NAMED },
  { name: 'gpt-5.6-cyber', display: 'OpenAI: GPT-5.6 Cyber', quality: 97, ...GPT, sources: NAMED },
  { name: 'gpt-daybreak-blue-latest', display: 'OpenAI: GPT Daybreak Blue', quality: 96, ...GPT, sources: NAMED },
  { name: 'gpt-daybreak-red-latest', display: 'OpenAI: GPT Daybreak Red', quality: 96, ...GPT, sources: NAMED },
  {
    name: 'gpt-image-2.6-sunburst',
    display: 'OpenAI: GPT Image 2.6 Sunburst',
    released: '2026-11-04',
    ...IMAGE,
    ...IMAGE_PRICES,
    sources: [GUIDE],
  },
  {
    name: 'gpt-image-2.6-flare',
    display: 'OpenAI: GPT Image 2.6 Flare',
    released: '2026-11-04',
    ...IMAGE,
    ...IMAGE_PRICES,
    sources: [GUIDE],
  },
  {
    name: 'gpt-image-2.5-sunburst',
    display: 'OpenAI: GPT Image 2.5 Sunburst',
    released: '2026-09-08',
    ...IMAGE,
    ...IMAGE_PRICES,
    sources: [GUIDE],
  },
  {
    name: 'gpt-image-2.5-flare',
    display: 'OpenAI: GPT Image 2.5 Flare',
    released: '2026-09-08',
    ...IMAGE,
    ...IMAGE_PRICES,
    sources: [GUIDE],
  },
  {
    name: 'chatgpt-image-latest',
    display: 'OpenAI: ChatGPT Image',
    ...IMAGE,
    sources: NAMED,
  },
] as const satisfies readonly Card[]
