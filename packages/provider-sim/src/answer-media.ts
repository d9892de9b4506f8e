import { asDragomanError, DragomanError, type JsonObject } from '@dragoman/core'
import type { ImageCodec } from '@dragoman/core/media'
import type { Call } from '@dragoman/core/provider'
import { createContext } from './context.ts'
import type { Delivery } from './deliver.ts'
import { answerImage, streamImage } from './image/answer-image.ts'
import { readMagic } from './magic.ts'
import { findCard, readBody, type MediaMatch } from './media-call.ts'
import { paceOf } from './pace.ts'
import { failure, refusal } from './refusal.ts'
import { deliverStream, deliverWhole } from './wire-delivery.ts'

/** A picture takes as long as this many tokens. */
const TOKENS_OF_TIME = 20

export interface MediaOptions {
  /** Unix seconds. */
  readonly now: () => number
  /** Milliseconds per token. */
  readonly delayMs: number
}

/** The response to a call that is no conversation, in the same protocol. */
export async function answerMedia(
  call: Pick<Call, 'url' | 'method' | 'headers' | 'body'>,
  match: MediaMatch,
  options: MediaOptions,
): Promise<Delivery> {
  const { protocol } = match
  try {
    const { image: codec } = protocol
    if (codec === undefined) throw new DragomanError('not-found', 'The simulator draws nothing in this protocol.')
    return await answerPictures(await readBody(call, match, codec.form), codec, match, options)
  } catch (thrown) {
    return refusal(protocol, asDragomanError(thrown))
  }
}

async function answerPictures(
  body: JsonObject,
  codec: ImageCodec,
  { protocol, operation, cards, model }: MediaMatch,
  { now, delayMs }: MediaOptions,
): Promise<Delivery> {
  const checked = codec.check(body, { operation })
  const request = codec.decode(checked, { issuer: protocol.issuer, operation, path: { model } })
  const { image: facts = {} } = findCard(request.model, cards)
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
