import { images } from '../ir/image-kind.ts'
import { DragomanError } from '../ir/error.ts'
import { imageEvents } from '../ir/image-fold.ts'
import { createLosses } from '../ir/loss.ts'
import type { Emit } from '../ir/stream.ts'
import type { JsonObject } from '../lib/json.ts'
import { createImageAnswerStream, type ImageAnswerStream } from './image-answer-stream.ts'
import { readAnswer } from './read-body.ts'
import type { ImageCodec, MediaDecoding, MediaProtocol } from './media.ts'
import { reportLosses, type ReportedLoss } from './reported-loss.ts'
import { writingMedia, type MediaAnswerFacts, type MediaAnswerOptions } from './translate-media.ts'

/** Translates a stream of images: push the upstream's bytes, and `write` receives the caller's text. */
export function translateImageStream(
  caller: MediaProtocol,
  upstream: MediaProtocol,
  write: Emit<string>,
  facts: MediaAnswerFacts,
  options: MediaAnswerOptions = {},
): ImageAnswerStream {
  const context = { ...writingMedia(images, caller, facts, options), losses: createLosses() }
  return createImageAnswerStream(
    streamOf(upstream),
    streamOf(caller).encode(write, context),
    reading(upstream, facts, options),
    context.losses,
  )
}

/** Writes a whole answer as a stream of the caller's, for an upstream that cannot stream. Returns the losses. */
export function writeImageStream(
  caller: MediaProtocol,
  upstream: MediaProtocol,
  body: JsonObject,
  write: Emit<string>,
  facts: MediaAnswerFacts,
  options: MediaAnswerOptions = {},
): readonly ReportedLoss[] {
  const answer = readAnswer(() => imageCodecOf(upstream).answer.decode(body, reading(upstream, facts, options)))
  const losses = createLosses()
  const encoder = streamOf(caller).encode(write, { ...writingMedia(images, caller, facts, options), losses })
  for (const event of imageEvents(answer)) encoder.push(event)
  encoder.end()
  return reportLosses(losses.entries())
}

function reading(
  { issuer }: MediaProtocol,
  { called }: MediaAnswerFacts,
  { dialect }: MediaAnswerOptions,
): MediaDecoding {
  return { issuer, operation: called, dialect }
}

function imageCodecOf({ name, image }: MediaProtocol): ImageCodec {
  if (image === undefined) throw new DragomanError('unsupported', `The protocol ${name} has no images.`)
  return image
}

function streamOf(protocol: MediaProtocol): NonNullable<ImageCodec['stream']> {
  const { stream } = imageCodecOf(protocol)
  if (stream === undefined) throw new DragomanError('unsupported', `The protocol ${protocol.name} streams no images.`)
  return stream
}
