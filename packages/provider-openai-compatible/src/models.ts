import type { Card } from '@dragoman/core'

/** Written by scripts/cards.ts: facts alone, in US dollars. */
export const modelsOf = {
  'x-ai': [
    {
      name: 'grok-4.5',
      display: 'xAI: Grok 4.5',
      owner: 'x-ai',
      context: 500000,
      maxOutput: 500000,
      input: ['text', 'image'],
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
            value: 6,
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
            value: 12,
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
            value: 0.5,
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
            value: 1,
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
      },
    },
    {
      name: 'grok-4.3',
      display: 'xAI: Grok 4.3',
      owner: 'x-ai',
      context: 1000000,
      maxOutput: 1000000,
      input: ['text', 'image'],
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
            value: 2.5,
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
            value: 5,
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
      },
    },
    {
      name: 'grok-code-fast-1',
      display: 'xAI: Grok Code Fast 1',
      owner: 'x-ai',
      context: 256000,
      maxOutput: 256000,
      input: ['text'],
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
            value: 1.5,
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
  ],
  deepseek: [
    {
      name: 'deepseek-v4-pro',
      display: 'DeepSeek: DeepSeek V4 Pro',
      owner: 'deepseek',
      context: 1000000,
      maxOutput: 384000,
      input: ['text'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 0.435,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 0.87,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        input_cache_read: [
          {
            value: 0.003625,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
    {
      name: 'deepseek-v4-flash',
      display: 'DeepSeek: DeepSeek V4 Flash',
      owner: 'deepseek',
      context: 1000000,
      maxOutput: 384000,
      input: ['text'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 0.14,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 0.28,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        input_cache_read: [
          {
            value: 0.0028,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
  ],
  mistralai: [
    {
      name: 'mistral-large-2512',
      display: 'Mistral: Large 3',
      owner: 'mistralai',
      context: 262144,
      maxOutput: 262144,
      input: ['text', 'image'],
      output: ['text'],
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
            value: 1.5,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
    {
      name: 'mistral-medium-3.5',
      display: 'Mistral: Medium 3.5',
      owner: 'mistralai',
      context: 262144,
      maxOutput: 262144,
      input: ['text', 'image'],
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
      },
    },
    {
      name: 'devstral-2512',
      display: 'Mistral: Devstral 2',
      owner: 'mistralai',
      context: 256000,
      maxOutput: 256000,
      input: ['text'],
      output: ['text'],
      prices: {
        prompt: [
          {
            value: 0.4,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 2,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
  ],
  moonshotai: [
    {
      name: 'kimi-k2.6',
      display: 'MoonshotAI: Kimi K2.6',
      owner: 'moonshotai',
      context: 262144,
      maxOutput: 262144,
      input: ['text', 'image', 'video'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 0.95,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 4,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        input_cache_read: [
          {
            value: 0.16,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
    {
      name: 'kimi-k2.5',
      display: 'MoonshotAI: Kimi K2.5',
      owner: 'moonshotai',
      context: 262144,
      maxOutput: 262144,
      input: ['text', 'image', 'video'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 0.6,
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
            value: 0.1,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
  ],
  'z-ai': [
    {
      name: 'glm-5.1',
      display: 'Z.AI: GLM 5.1',
      owner: 'z-ai',
      released: '2026-04-07',
      context: 200000,
      maxOutput: 128000,
      input: ['text'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 1.4,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 4.4,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        input_cache_read: [
          {
            value: 0.26,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
    {
      name: 'glm-5',
      display: 'Z.AI: GLM 5',
      owner: 'z-ai',
      released: '2026-02-12',
      context: 200000,
      maxOutput: 128000,
      input: ['text'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 1,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 3.2,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        input_cache_read: [
          {
            value: 0.2,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
    {
      name: 'glm-4.7',
      display: 'Z.AI: GLM 4.7',
      owner: 'z-ai',
      context: 200000,
      maxOutput: 128000,
      input: ['text'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 0.6,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 2.2,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        input_cache_read: [
          {
            value: 0.11,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
    {
      name: 'glm-4.7-flash',
      display: 'Z.AI: GLM 4.7 Flash',
      owner: 'z-ai',
      context: 200000,
      maxOutput: 128000,
      input: ['text'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 0,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 0,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        input_cache_read: [
          {
            value: 0,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
  ],
  groq: [
    {
      name: 'gpt-oss-120b',
      upstream: 'openai/gpt-oss-120b',
      display: 'Groq: gpt-oss-120b',
      owner: 'groq',
      context: 131072,
      maxOutput: 32766,
      input: ['text'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 0.15,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 0.6,
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
        web_search: [
          {
            value: 0.005,
            unit: 'perCount',
            currency: 'USD',
          },
        ],
      },
    },
  ],
  cerebras: [
    {
      name: 'zai-glm-4.7',
      display: 'Cerebras: GLM 4.7',
      owner: 'cerebras',
      context: 128000,
      maxOutput: 128000,
      input: ['text'],
      output: ['text'],
      reasoning: {},
      prices: {
        prompt: [
          {
            value: 2.25,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 2.75,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
      },
    },
  ],
  perplexity: [
    {
      name: 'sonar-pro',
      display: 'Perplexity: Sonar Pro',
      owner: 'perplexity',
      context: 200000,
      maxOutput: 8000,
      input: ['text', 'image'],
      output: ['text'],
      prices: {
        prompt: [
          {
            value: 3,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        completion: [
          {
            value: 15,
            unit: 'perMTokens',
            currency: 'USD',
          },
        ],
        web_search: [
          {
            value: 0.01,
            unit: 'perCount',
            currency: 'USD',
          },
        ],
      },
    },
  ],
} as const satisfies { readonly [provider: string]: readonly Card[] }
