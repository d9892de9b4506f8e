import { describePrices } from './describe-prices.ts'
import { completion, film } from './usage-shapes.ts'

describePrices('https://docs.x.ai/developers/models (2026-09-29)', [
  [
    'x-ai/grok-4.5',
    'reasoning beside the completion, and a cache',
    completion({
      prompt_tokens: 1000,
      prompt_tokens_details: { cached_tokens: 600 },
      completion_tokens: 100,
      completion_tokens_details: { reasoning_tokens: 50 },
      total_tokens: 1150,
    }),
    // 400 × 2000 + 600 × 500 + 150 × 6000
    800_000 + 300_000 + 900_000,
  ],
  [
    'x-ai/grok-4.3',
    '200,001 tokens',
    completion({ prompt_tokens: 200_001, completion_tokens: 100, total_tokens: 200_101 }),
    // 200,001 × 2500 + 100 × 5000
    500_502_500,
  ],
])

describePrices('catalogue of 2026-08-05: deepseek, mistral, moonshot, z.ai, groq, cerebras, perplexity', [
  [
    'deepseek/deepseek-v4-pro',
    'hits and misses of the cache',
    completion({
      prompt_tokens: 1500,
      prompt_cache_hit_tokens: 1000,
      prompt_cache_miss_tokens: 500,
      completion_tokens: 100,
      total_tokens: 1600,
    }),
    // 500 × 435 + 1000 × 3.625 + 100 × 870
    217_500 + 3625 + 87_000,
  ],
  [
    'mistralai/mistral-large-2512',
    'text',
    completion({ prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }),
    // 1000 × 500 + 100 × 1500
    650_000,
  ],
  [
    'moonshotai/kimi-k2.6',
    'a cache that is counted beside the details',
    completion({ prompt_tokens: 1000, cached_tokens: 300, completion_tokens: 100, total_tokens: 1100 }),
    // 700 × 950 + 300 × 160 + 100 × 4000
    665_000 + 48_000 + 400_000,
  ],
  [
    'z-ai/glm-5.1',
    'a cache',
    completion({
      prompt_tokens: 1000,
      prompt_tokens_details: { cached_tokens: 500 },
      completion_tokens: 100,
      total_tokens: 1100,
    }),
    // 500 × 1400 + 500 × 260 + 100 × 4400
    700_000 + 130_000 + 440_000,
  ],
  [
    'groq/gpt-oss-120b',
    'its word for the standard tier',
    completion(
      {
        prompt_tokens: 1000,
        prompt_tokens_details: { cached_tokens: 200 },
        completion_tokens: 100,
        total_tokens: 1100,
      },
      { service_tier: 'on_demand' },
    ),
    // 800 × 150 + 200 × 75 + 100 × 600
    120_000 + 15_000 + 60_000,
  ],
  [
    'cerebras/zai-glm-4.7',
    'text',
    completion({ prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }),
    // 1000 × 2250 + 100 × 2750
    2_525_000,
  ],
  ['kling/kling-v3', 'a video without a price', film('1080p', 5), undefined],
])
