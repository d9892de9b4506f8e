import type { JsonObject } from '@dragoman/core'
import type { AnswerOf, ImageEvent, MediaKinds, MediaRequest, RequestOf } from '@dragoman/core/media'
import { perCount, usd, type Card } from '@dragoman/core/provider'
import { answerEmbedding } from './embedding/answer-embedding.ts'
import { embedText } from './embedding/embed-text.ts'
import { answerImage, streamImage } from './image/answer-image.ts'
import { createEmbeddingCard, createPainterCard } from './models.ts'

/** How the simulator answers one kind of call that is not a conversation. */
export interface SimKind<Request extends MediaRequest = MediaRequest, Answer = unknown> {
  /** Its model in a protocol that has such calls. */
  card(protocol: string): Card
  /** The text that can have magic words. */
  textOf(request: Request): string
  answer(request: Request, card: Card, now: number): Answer | Promise<Answer>
  /** The answer takes as long as this many tokens. */
  tokensOfTime(answer: Answer): number
  /** Undefined if the request does not ask for a stream. */
  stream?(request: Request, card: Card, now: number): Promise<readonly ImageEvent[]> | undefined
}

/** An image takes as long as this many tokens. */
export const IMAGE_TIME = 20

const image: SimKind<RequestOf<'image'>, AnswerOf<'image'>> = {
  card: createPainterCard,
  textOf: ({ prompt }) => prompt,
  answer: (request, { image: facts = {} }, now) => answerImage(request, facts, now),
  tokensOfTime: ({ images }) => IMAGE_TIME * images.length,
  stream: (request, { image: facts = {} }, now) =>
    request.delivery.stream === true ? streamImage(request, facts, now) : undefined,
}

const embedding: SimKind<RequestOf<'embedding'>, AnswerOf<'embedding'>> = {
  card: createEmbeddingCard,
  textOf: ({ inputs }) => inputs.map((input) => (input.type === 'text' ? input.text : '')).join(' '),
  answer: answerEmbedding,
  tokensOfTime: () => 1,
}

/** Ranks by how near the embedding of a document is to that of the query. */
const rerank: SimKind<RequestOf<'rerank'>, AnswerOf<'rerank'>> = {
  card: (protocol) => ({
    name: protocol === 'chat' ? 'ranker' : `ranker-${protocol}`,
    display: `Simulated reranking (${protocol})`,
    description: `Ranks documents by their words and letters, in the ${protocol} protocol, without any network.`,
    owner: 'dragoman',
    context: 8192,
    input: ['text'],
    output: [],
    quality: 1,
    rerank: { most: 1000, searchDocuments: 100 },
    protocols: [protocol],
    prices: usd({ search: perCount(0) }),
  }),
  textOf: ({ query }) => wordsOf(query),
  answer({ query, documents, topN, returnDocuments }, { name, rerank: facts = {} }) {
    const asked = embedText(wordsOf(query), RANKED_IN)
    const results = documents.map((document, index) => {
      const found = embedText(wordsOf(document), RANKED_IN)
      const score = Math.max(
        0,
        asked.reduce((sum, value, at) => sum + value * (found[at] ?? 0), 0),
      )
      return { index, score, ...(returnDocuments === true ? { document: asObject(document) } : {}) }
    })
    const best = results.sort((one, other) => other.score - one.score).slice(0, topN)
    const searches = Math.ceil(documents.length / (facts.searchDocuments ?? documents.length))
    return { model: name, results: best, usage: { searches } }
  },
  tokensOfTime: ({ results }) => results.length,
}

const RANKED_IN = 256

/** Vendors return a text in an object. */
function asObject(document: RequestOf<'rerank'>['query']): JsonObject {
  return typeof document === 'string' ? { text: document } : document
}

/** The texts of a document, however deep the rest of it is. */
function wordsOf(document: RequestOf<'rerank'>['query']): string {
  if (typeof document === 'string') return document
  return Object.values(document)
    .flatMap((member) => (typeof member === 'string' ? member : []))
    .join(' ')
}

/** The kinds that are answered at once, one line each. Films have a driver. */
export const SIM_KINDS: { readonly [Name in Exclude<keyof MediaKinds, 'video'>]: SimKind } = {
  image,
  embedding,
  rerank,
}
