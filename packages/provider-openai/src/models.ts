import type { Card } from '@dragoman/core'

/** Written by scripts/cards.ts: facts alone, in US dollars. */
export const models = [
  {
    name: 'gpt-5.6-sol',
    display: 'OpenAI: GPT-5.6 Sol',
    owner: 'openai',
    context: 1050000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 10,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      completion: [
        {
          value: 30,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 45,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      input_cache_read: [
        {
          value: 0.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 1,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      input_cache_write: [
        {
          value: 6.25,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 12.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
    },
  },
  {
    name: 'gpt-5.6-terra',
    display: 'OpenAI: GPT-5.6 Terra',
    owner: 'openai',
    context: 1050000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 2,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 4,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      completion: [
        {
          value: 12,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 18,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      input_cache_read: [
        {
          value: 0.2,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 0.4,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      input_cache_write: [
        {
          value: 2.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
    },
  },
  {
    name: 'gpt-5.6-luna',
    display: 'OpenAI: GPT-5.6 Luna',
    owner: 'openai',
    context: 1050000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 0.2,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 0.4,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      completion: [
        {
          value: 1.2,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 1.8,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      input_cache_read: [
        {
          value: 0.02,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 0.04,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      input_cache_write: [
        {
          value: 0.25,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 0.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
    },
  },
  {
    name: 'gpt-5.5',
    display: 'OpenAI: GPT-5.5',
    owner: 'openai',
    released: '2026-04-23',
    context: 1050000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 10,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      completion: [
        {
          value: 30,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 45,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      input_cache_read: [
        {
          value: 0.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 1,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
    },
  },
  {
    name: 'gpt-5.4',
    display: 'OpenAI: GPT-5.4',
    owner: 'openai',
    released: '2026-03-05',
    context: 1050000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 2.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      completion: [
        {
          value: 15,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 22.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
      input_cache_read: [
        {
          value: 0.25,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 272,
            },
          },
        },
        {
          value: 0.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 272,
            },
          },
        },
      ],
    },
  },
  {
    name: 'gpt-5.4-mini',
    display: 'OpenAI: GPT-5.4 mini',
    owner: 'openai',
    released: '2026-03-17',
    context: 400000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 0.75,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 4.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.075,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gpt-5.4-nano',
    display: 'OpenAI: GPT-5.4 nano',
    owner: 'openai',
    released: '2026-03-17',
    context: 400000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 0.2,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 1.25,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.02,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gpt-5.2',
    display: 'OpenAI: GPT-5.2',
    owner: 'openai',
    released: '2025-12-11',
    context: 400000,
    maxOutput: 128000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 1.75,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 14,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.175,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gpt-4.1',
    display: 'OpenAI: GPT-4.1',
    owner: 'openai',
    released: '2025-04-14',
    context: 1047576,
    maxOutput: 32768,
    input: ['text', 'image', 'file'],
    output: ['text'],
    prices: {
      prompt: [
        {
          value: 2,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 8,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
    },
  },
] as const satisfies readonly Card[]
