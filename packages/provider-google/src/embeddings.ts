import { usd, type Card, type CardSource } from '@dragoman/core/provider'

/** A batch has at most 100 requests. */
const TAKES = { dimensions: 3072, sizes: { min: 128, max: 3072 }, perCall: 100 } as const

const SOURCES: readonly CardSource[] = [
  { facts: ['name', 'limits', 'prices'], from: 'https://ai.google.dev/gemini-api/docs/pricing', date: '2026-11' },
]

const TASKS = [
  'TASK_TYPE_UNSPECIFIED',
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
]

/** Models for embeddings. The second generation takes media, and its task belongs in the text. */
export const embeddings: readonly Card[] = [
  {
    name: 'gemini-embedding-001',
    display: 'Google: Gemini Embedding 001',
    owner: 'google',
    released: '2025-07-14',
    context: 2048,
    input: ['text'],
    output: [],
    embedding: { ...TAKES, maxTokens: 2048, tasks: TASKS, title: true },
    protocols: ['genai'],
    prices: usd({ prompt: 0.15 }),
    sources: SOURCES,
  },
  {
    name: 'gemini-embedding-2',
    display: 'Google: Gemini Embedding 2',
    owner: 'google',
    context: 8192,
    input: ['text', 'image', 'video', 'audio', 'file'],
    output: [],
    embedding: { ...TAKES, maxTokens: 8192 },
    protocols: ['genai'],
    prices: usd({ prompt: 0.2 }),
    sources: SOURCES,
  },
]
