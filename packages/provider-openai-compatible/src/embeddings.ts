import { usd, type Card } from '@dragoman/core/provider'

const TEXT = { input: ['text'], output: [] } as const

/** Models for embeddings, by provider. */
export const embeddingsOf = {
  /** Its upstream refuses members that it does not know. */
  mistralai: [
    {
      name: 'mistral-embed',
      display: 'Mistral: Embed',
      owner: 'mistralai',
      context: 8192,
      ...TEXT,
      embedding: { dimensions: 1024, maxTokens: 8192, base64: false, user: false },
      prices: usd({ prompt: 0.1 }),
      sources: [{ facts: ['name', 'limits', 'prices'], from: 'https://mistral.ai/pricing', date: '2026-11' }],
    },
  ],
} satisfies { readonly [provider: string]: readonly Card[] }
