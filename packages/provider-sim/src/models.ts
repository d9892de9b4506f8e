import type { Protocol } from '@dragoman/core'
import type { EmbeddingFacts, ImageFacts } from '@dragoman/core/media'
import { OWN, perCount, perSecond, usd, type Card } from '@dragoman/core/provider'

/** The model for conversations of a protocol. */
export function createTextCard({ name }: Protocol): Card {
  return {
    name: `${name}-1`,
    display: `Simulated ${name} 1`,
    description: `Answers by rule, in the ${name} protocol, without any network.`,
    owner: 'dragoman',
    context: 128_000,
    maxOutput: 32_000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    quality: 1,
    reasoning: { min: 1024, max: 16_000 },
    protocols: [name],
    prices: usd({ prompt: 0, completion: 0 }),
    extensions: { chat: { candidates: false }, messages: { systemTurns: true } },
  }
}

/** What all painters can draw. */
const PAINTER = {
  most: 4,
  references: 8,
  mask: true,
  sizes: ['auto', '1024x1024', '1536x1024', '1024x1536'],
  custom: { multiple: 16, minSide: 64, maxSide: 3840, maxRatio: 3 },
  ratios: ['1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3', '21:9'],
  tiers: ['1K', '2K', '4K'],
  formats: ['image/png'],
  words: { quality: ['auto', 'low', 'medium', 'high'], background: ['auto', 'opaque', 'transparent'] },
} as const satisfies ImageFacts

/** The options differ by protocol, because each can say something else. */
const IMAGE_FACTS_OF: { readonly [protocol: string]: ImageFacts } = {
  chat: { ...PAINTER, partials: 3, takes: ['quality', 'background', 'style', 'fidelity', 'safety'] },
  genai: {
    ...PAINTER,
    takes: [
      'quality',
      'seed',
      'negativePrompt',
      'guidance',
      'enhance',
      'people',
      'safety',
      'explainBlocks',
      'watermark',
    ],
  },
}

/** The painter of a protocol. */
export function createPainterCard(name: string): Card {
  return {
    name: name === 'chat' ? 'painter' : `painter-${name}`,
    display: `Simulated painter (${name})`,
    description: `Draws landscapes with what the prompt names, in the ${name} protocol, without any network.`,
    owner: 'dragoman',
    input: ['text', 'image'],
    output: ['image'],
    quality: 1,
    image: IMAGE_FACTS_OF[name] ?? PAINTER,
    protocols: [name],
    // It paints over the bytes of given images.
    urls: { [name]: false },
    prices: usd({ image: perCount(0) }),
  }
}

export const FILM: Card = {
  name: 'film',
  display: 'Simulated film',
  description: 'Draws landscapes in large pixels that move, as MP4 files, without any network.',
  owner: 'dragoman',
  input: ['text', 'image'],
  output: ['video'],
  quality: 1,
  video: {
    most: 4,
    ratios: ['16:9', '9:16', '1:1', '4:3', '3:4'],
    resolutions: ['720p', '1080p', '480p'],
    seconds: { min: 1, max: 20 },
    defaultSeconds: 5,
    audio: 'off',
    frames: ['first', 'last'],
    references: 3,
    people: ['dont_allow', 'allow_adult', 'allow_all'],
    fps: { min: 1, max: 60 },
    takes: ['negativePrompt', 'enhance', 'seed', 'user'],
  },
  protocols: [OWN],
  urls: { [OWN]: false },
  prices: usd({ video: perSecond(0), audio_and_video: perSecond(0) }),
}

/** What all models for embeddings can do. */
const EMBEDDINGS = {
  dimensions: 256,
  sizes: { min: 1, max: 3072 },
  most: 2048,
  maxTokens: 8192,
} as const satisfies EmbeddingFacts

const TASKS =
  'RETRIEVAL_QUERY RETRIEVAL_DOCUMENT SEMANTIC_SIMILARITY CLASSIFICATION CLUSTERING QUESTION_ANSWERING FACT_VERIFICATION CODE_RETRIEVAL_QUERY'

const EMBEDDING_FACTS_OF: { readonly [protocol: string]: EmbeddingFacts } = {
  chat: { ...EMBEDDINGS, tokens: true },
  genai: { ...EMBEDDINGS, tasks: TASKS.split(' '), title: true, truncate: true },
}

/** The model for embeddings of a protocol. */
export function createEmbeddingCard(name: string): Card {
  return {
    name: name === 'chat' ? 'vectors' : `vectors-${name}`,
    display: `Simulated embeddings (${name})`,
    description: `Embeds texts by their words and letters, in the ${name} protocol, without any network.`,
    owner: 'dragoman',
    context: 8192,
    input: ['text'],
    output: [],
    quality: 1,
    embedding: EMBEDDING_FACTS_OF[name] ?? EMBEDDINGS,
    protocols: [name],
    prices: usd({ prompt: 0 }),
  }
}
