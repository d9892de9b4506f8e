import { usd, type Card } from '@dragoman/core/provider'

/** Models that the catalogue of `models.ts` no longer has and that clients still ask for by default (2026-11). Their ranks follow the rule of scripts/quality.ts. */
export const earlierModels = [
  {
    name: 'gpt-5',
    display: 'OpenAI: GPT-5',
    owner: 'openai',
    released: '2025-08-07',
    context: 400000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    quality: 85,
    reasoning: {},
    prices: usd({ prompt: 1.25, completion: 10, input_cache_read: 0.125 }),
  },
  {
    name: 'gpt-5-mini',
    display: 'OpenAI: GPT-5 mini',
    owner: 'openai',
    released: '2025-08-07',
    context: 400000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    quality: 70,
    reasoning: {},
    prices: usd({ prompt: 0.25, completion: 2, input_cache_read: 0.025 }),
  },
  {
    name: 'gpt-5-nano',
    display: 'OpenAI: GPT-5 nano',
    owner: 'openai',
    released: '2025-08-07',
    context: 400000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    quality: 50,
    reasoning: {},
    prices: usd({ prompt: 0.05, completion: 0.4, input_cache_read: 0.005 }),
  },
] as const satisfies readonly Card[]
