import { asDragomanError, DragomanError, type JsonObject } from '@dragoman/core'
import type { Call } from '@dragoman/core/provider'
import { createContext } from './context.ts'
import type { Delivery } from './deliver.ts'
import { answerEmbedding } from './embedding/answer-embedding.ts'
import { answerImage, streamImage } from './image/answer-image.ts'
import { readMagic } from './magic.ts'
import { findCard, readBody, type MediaMatch } from './media-call.ts'
import { paceOf } from './pace.ts'
import { failure, refusal } from './refusal.ts'
import { deliverStream, deliverWhole } from './wire-delivery.ts'

/** An image takes as long as this many tokens. */
const TOKENS_OF_TIME = 20

export interface MediaOptions {
  /** Unix seconds. */
  readonly now: () => number
  /** Milliseconds per token. */
  readonly delayMs: number
}

/** The answer to a call that is not a conversation, in the same protocol. */
export async function answerMedia(
  call: Pick<Call, 'url' | 'method' | 'headers' | 'body'>,
  match: MediaMatch,
  options: MediaOptions,
): Promise<Delivery> {
  const { protocol } = match
  try {
    const body = await readBody(call, match, protocol.image?.form)
    if (isEmbedding(body, match)) return answerEmbeddings(body, match, options)
    return await answerImages(body, match, options)
  } catch (thrown) {
    return refusal(protocol, asDragomanError(thrown))
  }
}

/** A path can be that of images and of embeddings: then the body decides. */
function isEmbedding(body: JsonObject, { protocol, operation }: MediaMatch): boolean {
  if (operation.startsWith('embedding')) return true
  return operation === 'predict' && protocol.embedding?.claims?.(body) === true
}

function answerEmbeddings(body: JsonObject, match: MediaMatch, { now, delayMs }: MediaOptions): Delivery {
  const { protocol, operation, cards, model } = match
  const codec = codecOf(protocol.embedding)
  const context = { issuer: protocol.issuer, operation, path: { model } }
  const request = codec.decode(codec.check(body, { operation }), context)
  const card = findCard(request.model, cards.filter(({ embedding }) => embedding !== undefined)) // prettier-ignore
  const { magic } = readMagic(request.inputs.map((input) => (input.type === 'text' ? input.text : '')).join(' '))
  if (magic.error !== undefined) return failure(protocol, magic.error)
  const asked = { model: card.name, ...(request.encoding === undefined ? {} : { encoding: request.encoding }) }
  const answer = answerEmbedding(request, card)
  const encoded = codec.answer.encode(answer, { ...createContext(protocol, card.name, now()), operation, asked })
  return deliverWhole(encoded, { waitMs: paceOf(magic, delayMs), delayMs: 0, cut: magic.cut })
}

function codecOf<Codec>(codec: Codec | undefined): Codec {
  if (codec === undefined) throw new DragomanError('not-found', 'The simulator has no such call in this protocol.')
  return codec
}

async function answerImages(
  body: JsonObject,
  { protocol, operation, cards, model }: MediaMatch,
  { now, delayMs }: MediaOptions,
): Promise<Delivery> {
  const codec = codecOf(protocol.image)
  const checked = codec.check(body, { operation })
  const request = codec.decode(checked, { issuer: protocol.issuer, operation, path: { model } })
  const { image: facts = {} } = findCard(request.model, cards.filter(({ image }) => image !== undefined)) // prettier-ignore
  const { magic } = readMagic(request.prompt)
  if (magic.error !== undefined) return failure(protocol, magic.error)
  const context = { ...createContext(protocol, request.prompt, now()), operation }
  const delay = TOKENS_OF_TIME * paceOf(magic, delayMs)
  const { cut } = magic
  const { stream } = codec
  if (request.delivery.stream === true && stream !== undefined) {
    const events = await streamImage(request, facts, context.now)
    const pace = { waitMs: 0, delayMs: delay, cut }
    return deliverStream((write) => stream.encode(write, context), events, 'text/event-stream', pace)
  }
  const answer = await answerImage(request, facts, context.now)
  return deliverWhole(codec.answer.encode(answer, context), { waitMs: delay * answer.images.length, delayMs: 0, cut })
}
