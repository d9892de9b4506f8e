import type { Card } from '@dragoman/core'

/** Written by scripts/cards.ts: facts alone, in US dollars. */
export const models = [
  {
    name: 'gemini-3.6-flash',
    display: 'Google: Gemini 3.6 Flash',
    owner: 'google',
    context: 1048576,
    maxOutput: 65536,
    input: ['text', 'image', 'audio', 'video', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 1.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 7.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.15,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.014,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-3.5-flash',
    display: 'Google: Gemini 3.5 Flash',
    owner: 'google',
    context: 1048576,
    maxOutput: 65535,
    input: ['text', 'image', 'audio', 'video', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 1.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 9,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.15,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.014,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
    otherPrices: {
      audio_input: [
        {
          value: 1,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-3.5-flash-lite',
    display: 'Google: Gemini 3.5 Flash-Lite',
    owner: 'google',
    context: 1048576,
    maxOutput: 65536,
    input: ['text', 'image', 'audio', 'video', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 0.3,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 2.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.03,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.014,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-3.1-pro-preview',
    display: 'Google: Gemini 3.1 Pro Preview',
    owner: 'google',
    context: 1048576,
    maxOutput: 65536,
    input: ['text', 'image', 'audio', 'video', 'file'],
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
              lt: 200,
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
              gte: 200,
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
              lt: 200,
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
              gte: 200,
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
              lt: 200,
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
              gte: 200,
            },
          },
        },
      ],
      web_search: [
        {
          value: 0.014,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-3-flash-preview',
    display: 'Google: Gemini 3 Flash Preview',
    owner: 'google',
    context: 1048576,
    maxOutput: 65535,
    input: ['text', 'image', 'audio', 'video', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 0.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 3,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.05,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.014,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
    otherPrices: {
      audio_input: [
        {
          value: 1,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-2.5-pro',
    display: 'Google: Gemini 2.5 Pro',
    owner: 'google',
    context: 1048576,
    maxOutput: 65535,
    input: ['text', 'image', 'audio', 'video', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 1.25,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 200,
            },
          },
        },
        {
          value: 2.5,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 200,
            },
          },
        },
      ],
      completion: [
        {
          value: 10,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 200,
            },
          },
        },
        {
          value: 15,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 200,
            },
          },
        },
      ],
      input_cache_read: [
        {
          value: 0.125,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 0,
              lt: 200,
            },
          },
        },
        {
          value: 0.25,
          unit: 'perMTokens',
          currency: 'USD',
          conditions: {
            prompt_tokens: {
              unit: 'kTokens',
              gte: 200,
            },
          },
        },
      ],
      web_search: [
        {
          value: 0.035,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-2.5-flash',
    display: 'Google: Gemini 2.5 Flash',
    owner: 'google',
    context: 1048576,
    maxOutput: 65535,
    input: ['text', 'image', 'audio', 'video', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 0.3,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 2.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.03,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.035,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
    otherPrices: {
      audio_input: [
        {
          value: 1,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-2.5-flash-lite',
    display: 'Google: Gemini 2.5 Flash-Lite',
    owner: 'google',
    context: 1048576,
    maxOutput: 65535,
    input: ['text', 'image', 'audio', 'video', 'file'],
    output: ['text'],
    reasoning: {},
    prices: {
      prompt: [
        {
          value: 0.1,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 0.4,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      input_cache_read: [
        {
          value: 0.01,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.035,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
    otherPrices: {
      audio_input: [
        {
          value: 0.3,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-3-pro-image',
    display: 'Google: Gemini 3 Pro Image',
    owner: 'google',
    context: 65536,
    maxOutput: 32768,
    input: ['text', 'image'],
    output: ['text', 'image'],
    reasoning: {},
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
          value: 12,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      image: [
        {
          value: 120,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.014,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
    otherPrices: {
      image_per_count_default_size: [
        {
          value: 0.134,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-3.1-flash-image',
    display: 'Google: Gemini 3.1 Flash Image',
    owner: 'google',
    context: 65536,
    maxOutput: 32768,
    input: ['text', 'image'],
    output: ['text', 'image'],
    prices: {
      prompt: [
        {
          value: 0.25,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 1.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      image: [
        {
          value: 60,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.014,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
    otherPrices: {
      image_per_count_default_size: [
        {
          value: 0.045,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
  },
  {
    name: 'gemini-2.5-flash-image',
    display: 'Google: Gemini 2.5 Flash Image',
    owner: 'google',
    context: 32768,
    maxOutput: 32768,
    input: ['text', 'image'],
    output: ['text', 'image'],
    prices: {
      prompt: [
        {
          value: 0.3,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      completion: [
        {
          value: 2.5,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      image: [
        {
          value: 30,
          unit: 'perMTokens',
          currency: 'USD',
        },
      ],
      web_search: [
        {
          value: 0.035,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
    otherPrices: {
      image_per_count_default_size: [
        {
          value: 0.039,
          unit: 'perCount',
          currency: 'USD',
        },
      ],
    },
  },
] as const satisfies readonly Card[]
