import type { AnswerOf, ImageEvent, MediaKinds, MediaRequest, RequestOf } from '@dragoman/core/media'
import type { Card } from '@dragoman/core/provider'
import { answerEmbedding } from './embedding/answer-embedding.ts'
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

/** The kinds that are answered at once, one line each. Films have a driver. */
export const SIM_KINDS: { readonly [Name in Exclude<keyof MediaKinds, 'video'>]: SimKind } = {
  image,
  embedding,
}
