import { perCount, usd, type Card, type CardSource } from '@dragoman/core/provider'

const CLAUDE = { owner: 'anthropic', input: ['text', 'image', 'file'], output: ['text'], reasoning: {} } as const
const LARGE = { context: 1_000_000, maxOutput: 128_000 } as const
const web_search = perCount(0.01)

/** The page of a model with its limits. */
function overview(page: string, date: string): CardSource {
  return { facts: ['name', 'limits'], from: `https://platform.claude.com/docs/en/models/${page}/overview`, date }
}

/** A model of which only its name is known. */
const NAMED: readonly CardSource[] = [{ facts: ['name'], from: '@anthropic-ai/sdk 1.8.0', date: '2026-11-09' }]

/** Models that the catalogue of `models.ts` does not have yet. Their ranks follow the rule of scripts/quality.ts. */
export const newerModels = [
  {
    name: 'claude-fable-5.2',
    upstream: 'claude-fable-5-2',
    display: 'Anthropic: Claude Fable 5.2',
    quality: 100,
    ...CLAUDE,
    sources: NAMED,
  },
  {
    name: 'claude-mythos-5.2',
    upstream: 'claude-mythos-5-2',
    display: 'Anthropic: Claude Mythos 5.2',
    quality: 100,
    ...CLAUDE,
    sources: NAMED,
  },
  {
    name: 'claude-haiku-5.5',
    upstream: 'claude-haiku-5-5',
    display: 'Anthropic: Claude Haiku 5.5',
    released: '2026-10-07',
    quality: 78,
    ...CLAUDE,
    ...LARGE,
    prices: usd(
      {
        prompt: [0.1, 0.5],
        completion: [0.5, 2.5],
        input_cache_read: [0.01, 0.05],
        input_cache_write_5_min: [0.125, 0.625],
        input_cache_write_1_h: [0.2, 1],
        web_search,
      },
      [100],
    ),
    sources: [overview('haiku-5-5', '2026-10')],
  },
  {
    name: 'claude-sonnet-5.5',
    upstream: 'claude-sonnet-5-5',
    display: 'Anthropic: Claude Sonnet 5.5',
    released: '2026-09-28',
    quality: 94,
    ...CLAUDE,
    ...LARGE,
    prices: usd({
      prompt: 2,
      completion: 10,
      input_cache_read: 0.1,
      input_cache_write_5_min: 2.5,
      input_cache_write_1_h: 4,
      web_search,
    }),
    sources: [overview('sonnet-5-5', '2026-10')],
  },
  {
    name: 'claude-opus-5.5',
    upstream: 'claude-opus-5-5',
    display: 'Anthropic: Claude Opus 5.5',
    released: '2026-09-22',
    quality: 98,
    ...CLAUDE,
    ...LARGE,
    prices: usd({
      prompt: 4,
      completion: 20,
      input_cache_read: 0.2,
      input_cache_write_5_min: 5,
      input_cache_write_1_h: 8,
      web_search,
    }),
    sources: [overview('opus-5-5', '2026-10')],
  },
  {
    name: 'claude-fable-5.1',
    upstream: 'claude-fable-5-1',
    display: 'Anthropic: Claude Fable 5.1',
    released: '2026-09-01',
    quality: 99,
    ...CLAUDE,
    ...LARGE,
    prices: usd({
      prompt: 10,
      completion: 50,
      input_cache_read: 0.25,
      input_cache_write_5_min: 12.5,
      input_cache_write_1_h: 20,
      web_search,
    }),
    sources: [overview('fable-5-1', '2026-10')],
  },
  {
    name: 'claude-mythos-5.1',
    upstream: 'claude-mythos-5-1',
    display: 'Anthropic: Claude Mythos 5.1',
    released: '2026-09-01',
    quality: 99,
    ...CLAUDE,
    ...LARGE,
    prices: usd({
      prompt: 10,
      completion: 50,
      input_cache_read: 0.25,
      input_cache_write_5_min: 12.5,
      input_cache_write_1_h: 20,
      web_search,
    }),
    sources: [overview('fable-5-1', '2026-10')],
  },
] as const satisfies readonly Card[]
