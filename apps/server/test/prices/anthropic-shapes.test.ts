import { describePrices } from './describe-prices.ts'
import { message } from './usage-shapes.ts'

describePrices('https://platform.claude.com/docs/en/about-claude/pricing (looked up 2026-11-16)', [
  [
    'anthropic/claude-sonnet-4.6',
    'a cache that is read and written for 5 minutes and an hour',
    message({
      input_tokens: 1200,
      cache_read_input_tokens: 10_000,
      cache_creation_input_tokens: 5000,
      cache_creation: { ephemeral_5m_input_tokens: 3000, ephemeral_1h_input_tokens: 2000 },
      output_tokens: 500,
    }),
    // 1200 × 3000 + 10,000 × 300 + 3000 × 3750 + 2000 × 6000 + 500 × 15,000
    3_600_000 + 3_000_000 + 11_250_000 + 12_000_000 + 7_500_000,
  ],
  [
    'anthropic/claude-opus-5',
    'thinking as output',
    message({ input_tokens: 100, output_tokens: 2000, output_tokens_details: { thinking_tokens: 1500 } }),
    // 100 × 5000 + 2000 × 25,000
    50_500_000,
  ],
  [
    'anthropic/claude-opus-4.8',
    'three searches, $10 for a thousand',
    message({ input_tokens: 5000, output_tokens: 800, server_tool_use: { web_search_requests: 3 } }),
    // 5000 × 5000 + 800 × 25,000 + 3 × 10,000,000
    75_000_000,
  ],
  [
    'anthropic/claude-haiku-4.5',
    'a search',
    message({ input_tokens: 1000, output_tokens: 100, server_tool_use: { web_search_requests: 1 } }),
    // 1000 × 1000 + 100 × 5000 + 10,000,000
    11_500_000,
  ],
  [
    'anthropic/claude-fable-5',
    'standard terms that are named',
    message({
      input_tokens: 10,
      output_tokens: 10,
      service_tier: 'standard',
      inference_geo: 'global',
      speed: 'standard',
    }),
    // 10 × 10,000 + 10 × 50,000
    600_000,
  ],
  [
    'anthropic/claude-sonnet-5',
    'a batch, at half',
    message({ input_tokens: 1000, output_tokens: 1000, service_tier: 'batch' }),
    // (1000 × 2000 + 1000 × 10,000) / 2
    6_000_000,
  ],
  [
    'anthropic/claude-opus-5',
    'the priority tier of a contract',
    message({ input_tokens: 1000, output_tokens: 1000, service_tier: 'priority' }),
    undefined,
  ],
])

describePrices('https://docs.claude.com/en/docs/about-claude/pricing, long context (2026-08-05)', [
  [
    'anthropic/claude-sonnet-4.5',
    '200,000 tokens with their cache are not a long context',
    message({ input_tokens: 50_000, cache_read_input_tokens: 150_000, output_tokens: 1000 }),
    // 50,000 × 3000 + 150,000 × 300 + 1000 × 15,000
    150_000_000 + 45_000_000 + 15_000_000,
  ],
  [
    'anthropic/claude-sonnet-4.5',
    '200,001 tokens with their cache are long context, all of them',
    message({ input_tokens: 50_001, cache_read_input_tokens: 150_000, output_tokens: 1000 }),
    // 50,001 × 6000 + 150,000 × 600 + 1000 × 22,500
    300_006_000 + 90_000_000 + 22_500_000,
  ],
])

describePrices(
  'https://platform.claude.com/docs/en/build-with-claude/fast-mode and …/data-residency (looked up 2026-11-16)',
  [
    [
      'anthropic/claude-opus-5',
      'fast mode, $10 and $50, its cache at a tenth',
      message({ input_tokens: 1000, cache_read_input_tokens: 4000, output_tokens: 200, speed: 'fast' }),
      // 1000 × 10,000 + 4000 × 1000 + 200 × 50,000
      24_000_000,
    ],
    [
      'anthropic/claude-opus-5',
      'fast mode in the US, with a search that has neither factor',
      message({
        input_tokens: 1000,
        cache_read_input_tokens: 4000,
        output_tokens: 200,
        speed: 'fast',
        inference_geo: 'us',
        server_tool_use: { web_search_requests: 1 },
      }),
      // 24,000,000 × 1.1 + 10,000,000
      36_400_000,
    ],
    [
      'anthropic/claude-sonnet-4.6',
      'the US, to the nano-dollar',
      message({ input_tokens: 7, output_tokens: 3, inference_geo: 'us' }),
      // 7 × 3300 + 3 × 16,500
      72_600,
    ],
    [
      'anthropic/claude-sonnet-4.5',
      'a model before regions',
      message({ input_tokens: 7, output_tokens: 3, inference_geo: 'not_available' }),
      // 7 × 3000 + 3 × 15,000
      66_000,
    ],
  ],
)

describePrices('https://platform.claude.com/docs/en/about-claude/pricing (2026-10, looked up 2026-11-17)', [
  [
    'anthropic/claude-sonnet-5.5',
    'a cache, whose reads cost a twentieth',
    message({
      input_tokens: 1200,
      cache_read_input_tokens: 10_000,
      cache_creation_input_tokens: 5000,
      cache_creation: { ephemeral_5m_input_tokens: 3000, ephemeral_1h_input_tokens: 2000 },
      output_tokens: 500,
    }),
    // 1200 × 2000 + 10,000 × 100 + 3000 × 2500 + 2000 × 4000 + 500 × 10,000
    2_400_000 + 1_000_000 + 7_500_000 + 8_000_000 + 5_000_000,
  ],
  [
    'anthropic/claude-haiku-5.5',
    'a prompt of 100,000 tokens, cached ones included',
    message({ input_tokens: 40_000, cache_read_input_tokens: 60_000, output_tokens: 1000 }),
    // 40,000 × 100 + 60,000 × 10 + 1000 × 500
    4_000_000 + 600_000 + 500_000,
  ],
  [
    'anthropic/claude-haiku-5.5',
    'one token more, five times the price of everything',
    message({ input_tokens: 40_001, cache_read_input_tokens: 60_000, output_tokens: 1000 }),
    // 40,001 × 500 + 60,000 × 50 + 1000 × 2500
    20_000_500 + 3_000_000 + 2_500_000,
  ],
  [
    'anthropic/claude-opus-5.5',
    'fast, in the United States: $8 and $40, times 1.1',
    message({ input_tokens: 1000, output_tokens: 100, speed: 'fast', inference_geo: 'us' }),
    // 1000 × 8800 + 100 × 44,000
    13_200_000,
  ],
])

describePrices('the types of @anthropic-ai/sdk 1.8.0, which state no price', [
  ['anthropic/claude-fable-5.2', 'an answer', message({ input_tokens: 1000, output_tokens: 100 }), undefined],
  ['anthropic/claude-mythos-5.2', 'an answer', message({ input_tokens: 1000, output_tokens: 100 }), undefined],
])

describePrices('the types of @anthropic-ai/sdk 1.8.0: each hop has the price of its model', [
  [
    'anthropic/claude-fable-5.1',
    'an answer of the model that was fallen back to',
    message({
      input_tokens: 1000,
      output_tokens: 100,
      iterations: [{ type: 'fallback_message', model: 'claude-opus-5-5', input_tokens: 1000, output_tokens: 100 }],
    }),
    undefined,
  ],
  [
    'anthropic/claude-opus-5.5',
    'a redeemed credit',
    message({ input_tokens: 1000, output_tokens: 100, fallback_credit: { status: { type: 'redeemed' } } }),
    undefined,
  ],
])
