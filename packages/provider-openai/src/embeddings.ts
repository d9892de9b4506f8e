import { usd, type Card, type CardSource } from '@dragoman/core/provider'

const TAKES = { most: 2048, maxTokens: 8192, tokens: true } as const
const SOURCES: readonly CardSource[] = [
  { facts: ['name', 'limits', 'prices'], from: 'https://developers.openai.com/api/docs/pricing', date: '2026-11' },
]
const TEXT = {
  owner: 'openai',
  context: 8192,
  input: ['text'],
  output: [],
  protocols: ['chat'],
  sources: SOURCES,
} as const

/** Models for embeddings. */
export const embeddings: readonly Card[] = [
  {
    name: 'text-embedding-3-small',
    display: 'OpenAI: Text Embedding 3 Small',
    released: '2024-01-25',
    ...TEXT,
    embedding: { ...TAKES, dimensions: 1536, sizes: { min: 1, max: 1536 } },
    prices: usd({ prompt: 0.02 }),
  },
  {
    name: 'text-embedding-3-large',
    display: 'OpenAI: Text Embedding 3 Large',
    released: '2024-01-25',
    ...TEXT,
    embedding: { ...TAKES, dimensions: 3072, sizes: { min: 1, max: 3072 } },
    prices: usd({ prompt: 0.13 }),
  },
  {
    name: 'text-embedding-ada-002',
    display: 'OpenAI: Text Embedding Ada 002',
    released: '2022-12-15',
    ...TEXT,
    embedding: { ...TAKES, dimensions: 1536 },
    prices: usd({ prompt: 0.1 }),
  },
]
