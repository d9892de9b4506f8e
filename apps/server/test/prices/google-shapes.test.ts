import { describePrices } from './describe-prices.ts'
import { content, details, film } from './usage-shapes.ts'

describePrices('https://ai.google.dev/gemini-api/docs/pricing (2026-08-04 to 2026-10-07)', [
  [
    'google/gemini-2.5-pro',
    'a prompt of 200,000 tokens, and thinking as output',
    content({
      promptTokenCount: 200_000,
      candidatesTokenCount: 1000,
      thoughtsTokenCount: 500,
      totalTokenCount: 201_500,
    }),
    // 200,000 × 1250 + 1500 × 10,000
    265_000_000,
  ],
  [
    'google/gemini-2.5-pro',
    'a prompt of 200,001 tokens',
    content({
      promptTokenCount: 200_001,
      candidatesTokenCount: 1000,
      thoughtsTokenCount: 500,
      totalTokenCount: 201_501,
    }),
    // 200,001 × 2500 + 1500 × 15,000
    522_502_500,
  ],
  [
    'google/gemini-3.1-pro-preview',
    'a long prompt with a cache',
    content({
      promptTokenCount: 250_000,
      cachedContentTokenCount: 100_000,
      candidatesTokenCount: 10,
      totalTokenCount: 250_010,
    }),
    // 150,000 × 4000 + 100,000 × 400 + 10 × 18,000
    640_180_000,
  ],
  [
    'google/gemini-2.5-flash',
    'text and audio, both of them partly cached',
    content({
      promptTokenCount: 10_000,
      promptTokensDetails: details({ TEXT: 4000, AUDIO: 6000 }),
      cachedContentTokenCount: 5000,
      cacheTokensDetails: details({ TEXT: 2000, AUDIO: 3000 }),
      candidatesTokenCount: 100,
      totalTokenCount: 10_100,
    }),
    // 2000 × 300 + 3000 × 1000 + 2000 × 30 + 3000 × 100 + 100 × 2500
    600_000 + 3_000_000 + 60_000 + 300_000 + 250_000,
  ],
  [
    'google/gemini-2.5-flash-lite',
    'audio',
    content({
      promptTokenCount: 1000,
      promptTokensDetails: details({ AUDIO: 1000 }),
      candidatesTokenCount: 10,
      totalTokenCount: 1010,
    }),
    // 1000 × 300 + 10 × 400
    304_000,
  ],
  [
    'google/gemini-3.5-flash',
    'audio, which has the price of all input',
    content({
      promptTokenCount: 2000,
      promptTokensDetails: details({ AUDIO: 2000 }),
      candidatesTokenCount: 10,
      totalTokenCount: 2010,
    }),
    // 2000 × 1500 + 10 × 9000
    3_090_000,
  ],
  [
    'google/gemini-3.6-flash',
    'the results of tools as prompt',
    content({
      promptTokenCount: 100,
      toolUsePromptTokenCount: 500,
      candidatesTokenCount: 10,
      totalTokenCount: 610,
    }),
    // 600 × 1500 + 10 × 7500
    975_000,
  ],
  [
    'google/gemini-3-pro-image',
    'an image of 1,120 tokens, text and thinking',
    content({
      promptTokenCount: 300,
      candidatesTokenCount: 1170,
      candidatesTokensDetails: details({ TEXT: 50, IMAGE: 1120 }),
      thoughtsTokenCount: 200,
      totalTokenCount: 1670,
    }),
    // 300 × 2000 + 1120 × 120,000 + 250 × 12,000
    600_000 + 134_400_000 + 3_000_000,
  ],
  [
    'google/gemini-3.1-flash-image',
    'an image, at the prices that are not those of a batch',
    content({
      promptTokenCount: 100,
      candidatesTokenCount: 1130,
      candidatesTokensDetails: details({ TEXT: 10, IMAGE: 1120 }),
      totalTokenCount: 1230,
    }),
    // 100 × 500 + 1120 × 60,000 + 10 × 3000
    50_000 + 67_200_000 + 30_000,
  ],
  [
    'google/gemini-2.5-flash',
    'flex: half, but for the cache',
    content({
      promptTokenCount: 1000,
      cachedContentTokenCount: 200,
      candidatesTokenCount: 100,
      totalTokenCount: 1100,
      serviceTier: 'flex',
    }),
    // 800 × 150 + 200 × 30 + 100 × 1250
    120_000 + 6000 + 125_000,
  ],
  [
    'google/gemini-2.5-pro',
    'priority, $4.50, $0.45 and $27 above 200,000 tokens',
    content({
      promptTokenCount: 300_000,
      cachedContentTokenCount: 100_000,
      candidatesTokenCount: 100,
      totalTokenCount: 300_100,
      serviceTier: 'priority',
    }),
    // 200,000 × 4500 + 100,000 × 450 + 100 × 27,000
    900_000_000 + 45_000_000 + 2_700_000,
  ],
  [
    'google/gemini-2.5-flash-lite',
    'a tier for which no price is known',
    content({ promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100, serviceTier: 'priority' }),
    undefined,
  ],
  ['google/veo-3.1-generate-001', 'eight seconds in 4K, $0.60 each', film('4k', 8), 4_800_000_000],
  ['google/veo-3.1-generate-001', 'eight seconds in 1080p, $0.40 each', film('1080p', 8), 3_200_000_000],
  [
    'google/veo-3.1-fast-generate-001',
    'two videos of eight seconds in 720p, $0.10 each',
    film('720p', 16),
    1_600_000_000,
  ],
  ['google/veo-3.1-lite-generate-preview', 'eight seconds in 1080p, $0.08 each', film('1080p', 8), 640_000_000],
])

describePrices('https://ai.google.dev/gemini-api/docs/pricing, which states no price of off-peak traffic (2026-11)', [
  [
    'google/gemini-3.5-flash',
    'off-peak traffic',
    content({ promptTokenCount: 1000, candidatesTokenCount: 100, trafficType: 'ON_DEMAND_OFFPEAK' }),
    undefined,
  ],
])
