import { perCount, usd, type Card, type CardSource } from '@dragoman/core/provider'

const CLAUDE = { owner: 'anthropic', input: ['text', 'image', 'file'], output: ['text'], reasoning: {} } as const

/** The page of a model with its limits. */
function overview(page: string, date: string): CardSource {
  return { facts: ['name', 'limits'], from: `https://platform.claude.com/docs/en/models/${page}/overview`, date }
}

const OPUS = {
  prompt: 5,
  completion: 25,
  input_cache_read: 0.5,
  input_cache_write_5_min: 6.25,
  input_cache_write_1_h: 10,
  web_search: perCount(0.01),
} as const

/** Models that the catalogue of `models.ts` leaves out and the API still has (2026-11). Their ranks follow the rule of scripts/quality.ts. */
export const earlierModels = [
  {
    name: 'claude-mythos-5',
    display: 'Anthropic: Claude Mythos 5',
    released: '2026-06-09',
    quality: 98,
    ...CLAUDE,
    context: 1_000_000,
    maxOutput: 128_000,
    prices: usd({
      prompt: 10,
      completion: 50,
      input_cache_read: 1,
      input_cache_write_5_min: 12.5,
      input_cache_write_1_h: 20,
      web_search: perCount(0.01),
    }),
    sources: [overview('fable-5', '2026-10')],
  },
  {
    name: 'claude-mythos-preview',
    display: 'Anthropic: Claude Mythos Preview',
    released: '2026-04-07',
    quality: 96,
    ...CLAUDE,
    sources: [{ facts: ['name'], from: '@anthropic-ai/sdk 1.8.0', date: '2026-11-09' }],
  },
  {
    name: 'claude-opus-4.6',
    upstream: 'claude-opus-4-6',
    display: 'Anthropic: Claude Opus 4.6',
    released: '2026-02-05',
    quality: 91,
    ...CLAUDE,
    context: 1_000_000,
    maxOutput: 128_000,
    prices: usd(OPUS),
    sources: [overview('opus-4-6', '2026-10')],
  },
  {
    name: 'claude-opus-4.5',
    upstream: 'claude-opus-4-5',
    display: 'Anthropic: Claude Opus 4.5',
    released: '2025-11-24',
    quality: 88,
    ...CLAUDE,
    context: 200_000,
    maxOutput: 64_000,
    prices: usd(OPUS),
    sources: [overview('opus-4-5', '2026-10')],
  },
] as const satisfies readonly Card[]
