import { describePrices } from './describe-prices.ts'
import { completion, image, response } from './usage-shapes.ts'

describePrices('https://developers.openai.com/api/docs/pricing (2026-08-04)', [
  [
    'openai/gpt-5.4',
    '272,000 tokens are short context; reasoning is output',
    response({
      input_tokens: 272_000,
      input_tokens_details: { cached_tokens: 200_000 },
      output_tokens: 1000,
      output_tokens_details: { reasoning_tokens: 400 },
      total_tokens: 273_000,
    }),
    // 72,000 × 2500 + 200,000 × 250 + 1000 × 15,000
    180_000_000 + 50_000_000 + 15_000_000,
  ],
  [
    'openai/gpt-5.4',
    '272,001 tokens are long context',
    response({
      input_tokens: 272_001,
      input_tokens_details: { cached_tokens: 200_000 },
      output_tokens: 1000,
      total_tokens: 273_001,
    }),
    // 72,001 × 5000 + 200,000 × 500 + 1000 × 22,500
    360_005_000 + 100_000_000 + 22_500_000,
  ],
  [
    'openai/gpt-5.6-sol',
    'a cache that is written and read',
    response({
      input_tokens: 10_000,
      input_tokens_details: { cached_tokens: 4000, cache_write_tokens: 5000 },
      output_tokens: 100,
      total_tokens: 10_100,
    }),
    // 1000 × 5000 + 4000 × 500 + 5000 × 6250 + 100 × 30,000
    5_000_000 + 2_000_000 + 31_250_000 + 3_000_000,
  ],
  [
    'openai/gpt-5.4',
    'flex, with the rounded price of its cache',
    response(
      {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 400 },
        output_tokens: 100,
        total_tokens: 1100,
      },
      { service_tier: 'flex' },
    ),
    // 600 × 1250 + 400 × 130 + 100 × 7500
    750_000 + 52_000 + 750_000,
  ],
  [
    'openai/gpt-5-nano',
    'flex, $0.025, $0.0025 and $0.20',
    completion(
      {
        prompt_tokens: 1000,
        prompt_tokens_details: { cached_tokens: 400 },
        completion_tokens: 100,
        total_tokens: 1100,
      },
      { service_tier: 'flex' },
    ),
    // 600 × 25 + 400 × 2.5 + 100 × 200
    15_000 + 1000 + 20_000,
  ],
  [
    'openai/gpt-5-mini',
    'the default tier',
    completion({ prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }, { service_tier: 'default' }),
    // 1000 × 250 + 100 × 2000
    450_000,
  ],
  [
    'openai/gpt-image-2',
    'an edit of an image',
    image({
      input_tokens: 1000,
      input_tokens_details: { text_tokens: 200, image_tokens: 800 },
      output_tokens: 4000,
      total_tokens: 5000,
    }),
    // 200 × 5000 + 800 × 8000 + 4000 × 30,000
    1_000_000 + 6_400_000 + 120_000_000,
  ],
  [
    'openai/gpt-image-1-mini',
    'an image',
    image({ input_tokens: 50, output_tokens: 1056, total_tokens: 1106 }),
    // 50 × 2000 + 1056 × 8000
    8_548_000,
  ],
])

describePrices('https://openai.com/api-priority-processing/ (looked up 2026-11-16)', [
  [
    'openai/gpt-5.5',
    'priority, $12.50, $1.25 and $75',
    completion(
      {
        prompt_tokens: 1000,
        prompt_tokens_details: { cached_tokens: 500 },
        completion_tokens: 100,
        total_tokens: 1100,
      },
      { service_tier: 'priority' },
    ),
    // 500 × 12,500 + 500 × 1250 + 100 × 75,000
    6_250_000 + 625_000 + 7_500_000,
  ],
  [
    'openai/gpt-5.5',
    'priority, which has no long context',
    completion({ prompt_tokens: 300_000, completion_tokens: 100, total_tokens: 300_100 }, { service_tier: 'priority' }),
    undefined,
  ],
  [
    'openai/gpt-5.4-nano',
    'priority of a model that the page does not have',
    completion({ prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }, { service_tier: 'priority' }),
    undefined,
  ],
])

describePrices('https://developers.openai.com/api/docs/models/gpt-6.1-sol (looked up 2026-11-17)', [
  [
    'openai/gpt-6.1-sol',
    'a cache that is read and written, $2, $0.10, $2.50 and $10',
    response({
      input_tokens: 3000,
      input_tokens_details: { cached_tokens: 1000, cache_write_tokens: 500 },
      output_tokens: 200,
      total_tokens: 3200,
    }),
    // 1500 × 2000 + 1000 × 100 + 500 × 2500 + 200 × 10,000
    3_000_000 + 100_000 + 1_250_000 + 2_000_000,
  ],
  [
    'openai/gpt-6.1-sol',
    'more than 272,000 tokens, twice and one and a half times',
    response({ input_tokens: 300_000, output_tokens: 100, total_tokens: 300_100 }),
    // 300,000 × 4000 + 100 × 15,000
    1_201_500_000,
  ],
  [
    'openai/gpt-6.1-sol',
    'ultrafast, six times',
    response({ input_tokens: 1000, output_tokens: 100, total_tokens: 1100 }, { service_tier: 'ultrafast' }),
    // 1000 × 12,000 + 100 × 60,000
    18_000_000,
  ],
  [
    'openai/gpt-6.1-sol',
    'fast, twice, with searches, which no tier changes',
    response(
      { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
      { service_tier: 'fast', tool_usage: { web_search: { num_requests: 2 } } },
    ),
    // 1000 × 4000 + 100 × 20,000 + 2 × 10,000,000
    26_000_000,
  ],
  [
    'openai/gpt-5.6-sol',
    'ultrafast of a model for which no page states it',
    response({ input_tokens: 1000, output_tokens: 100, total_tokens: 1100 }, { service_tier: 'ultrafast' }),
    undefined,
  ],
  [
    'openai/gpt-5.6-terra',
    'fast under its old name, $4 and $24',
    response({ input_tokens: 1000, output_tokens: 100, total_tokens: 1100 }, { service_tier: 'priority' }),
    6_400_000,
  ],
])

describePrices('the types of openai 7.53.0, which state no price', [
  ['openai/gpt-6-rosalind', 'an answer', response({ input_tokens: 1000, output_tokens: 100 }), undefined],
  ['openai/gpt-6-cyber', 'an answer', response({ input_tokens: 1000, output_tokens: 100 }), undefined],
])
