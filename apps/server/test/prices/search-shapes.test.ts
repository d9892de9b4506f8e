import type { JsonObject } from '@dragoman/core'
import { describePrices } from './describe-prices.ts'
import { content, response } from './usage-shapes.ts'

/** One call of the search tool of Responses. */
const searchCall = (id: string): JsonObject => ({
  id,
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'q', queries: ['q'] },
})

/** What Gemini says about its searches. */
const grounded = (...webSearchQueries: readonly string[]): JsonObject => ({
  groundingMetadata: { webSearchQueries, groundingChunks: [{ web: { uri: 'https://a.example', title: 'a' } }] },
})

describePrices('the pages of ai.google.dev and developers.openai.com for searches (2026-08-04, 2026-10-07)', [
  [
    'google/gemini-3-flash-preview',
    'three searches, $14 for a thousand',
    content({ promptTokenCount: 100, candidatesTokenCount: 100, totalTokenCount: 200 }, grounded('a', 'b', 'c')),
    // 100 × 500 + 100 × 3000 + 3 × 14,000,000
    50_000 + 300_000 + 42_000_000,
  ],
  [
    'google/gemini-2.5-flash',
    'three searches for one grounded prompt, $35 for a thousand',
    content({ promptTokenCount: 100, candidatesTokenCount: 100, totalTokenCount: 200 }, grounded('a', 'b', 'c')),
    // 100 × 300 + 100 × 2500 + 35,000,000
    30_000 + 250_000 + 35_000_000,
  ],
  [
    'openai/gpt-5.5',
    'two calls of the search tool, $10 for a thousand',
    response(
      { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
      { output: [searchCall('ws_1'), searchCall('ws_2')] },
    ),
    // 1000 × 5000 + 100 × 30,000 + 2 × 10,000,000
    5_000_000 + 3_000_000 + 20_000_000,
  ],
])
