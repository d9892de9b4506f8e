import { DragomanError } from '../ir/error.ts'
import { fitImage } from '../ir/fit-image.ts'
import { imageEvents } from '../ir/image-fold.ts'
import type { ImageAnswer, ImageFacts, ImageRequest, ImageSettings } from '../ir/image.ts'
import { createLosses, type Losses } from '../ir/loss.ts'
import type { Emit } from '../ir/stream.ts'
import type { Usage } from '../ir/usage.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Match } from './context.ts'
import { createImageAnswerStream, type ImageAnswerStream } from './image-answer-stream.ts'
import { readAnswer, readRequest } from './read-body.ts'
import { locateIn } from './locate.ts'
import type { ImageCodec, MediaCall, MediaDecoding, MediaEncoding } from './media.ts'
import type { Protocol } from './protocol.ts'
import { reportLosses, type ReportedLoss } from './reported-loss.ts'
import { commonContext } from './translate-answer.ts'

/** A protocol that has images. */
export type ImageProtocol = Pick<Protocol, 'name' | 'issuer' | 'image'>

/** Options of the translation of a request for images. */
export interface ImageTranslateOptions {
  /** The operation of the caller's path, from `http.match` of its protocol; by default `image`. */
  readonly operation?: string | undefined
  /** The model in the path of the call, in protocols that have it there. */
  readonly match?: Pick<Match, 'model'> | undefined
  /** The upstream's name for the model; by default the caller's. */
  readonly model?: string | undefined
  /** What the model can draw, from its card; by default everything that its protocol can say. */
  readonly facts?: ImageFacts | undefined
  /** The upstream's differences from its protocol. */
  readonly dialect?: JsonObject | undefined
  readonly id?: (() => string) | undefined
  /** Unix seconds. */
  readonly now?: number | undefined
}

/** A request for images in another protocol. */
export interface TranslatedImageRequest {
  /** The body, and the operation whose path takes it: see `http.target` of the protocol. */
  readonly call: MediaCall
  readonly losses: readonly ReportedLoss[]
  /** Whether the caller requested a stream. */
  readonly stream: boolean
  /** Whether the upstream streams it too. If not, its whole answer is written by `writeImageStream`. */
  readonly isStreamed: boolean
  readonly facts: ImageAnswerFacts
}

/** What the translation of the answer needs to know about its request. Plain data. */
export interface ImageAnswerFacts {
  /** The operation of the caller. */
  readonly operation: string
  /** The operation of the upstream call. */
  readonly called: string
  /** What the caller requested: events of some protocols repeat it. */
  readonly requested: ImageSettings
}

/**
 * Translates a request for images. It need not have been checked: one that cannot be read is refused. With `facts`, it is also fitted
 * to its model. It is always one call: the most images of a call (`perCall`) are not looked at.
 */
export function translateImageRequest(
  caller: ImageProtocol,
  upstream: ImageProtocol,
  body: JsonObject,
  options: ImageTranslateOptions = {},
): TranslatedImageRequest {
  const { operation = 'image' } = options
  const codec = codecOf(caller)
  return readRequest(
    body,
    (unread) => codec.check(unread, { operation }),
    () => encodeFor(caller, upstream, codec.check(body, { operation }), operation, options),
  )
}

function encodeFor(
  caller: ImageProtocol,
  upstream: ImageProtocol,
  body: JsonObject,
  operation: string,
  options: ImageTranslateOptions,
): TranslatedImageRequest {
  const { match, facts, dialect, model } = options
  const from = codecOf(caller)
  const to = codecOf(upstream)
  const locate = locateIn(from.sites ?? new Map(), body)
  const losses = createLosses()
  const asked = from.decode(body, { issuer: caller.issuer, path: match, operation })
  const fitted = facts === undefined ? asked : fitImage(asked, facts, losses, (path) => locate(path, 'dropped'))
  const isStreamed = fitted.delivery.stream === true && to.stream !== undefined
  const request = { ...handedOn(fitted, isStreamed, losses), model: model ?? fitted.model }
  const call = to.encode(request, {
    ...commonContext(options),
    issuer: upstream.issuer,
    dialect,
    losses,
    toward: 'upstream',
    caller: caller.name,
  })
  return {
    call,
    losses: reportLosses(losses.entries(), locate),
    stream: asked.delivery.stream === true,
    isStreamed,
    facts: { operation, called: call.operation, requested: asked.settings },
  }
}

/** An upstream that cannot stream is not asked to: the caller gets the finished images as a stream. */
function handedOn(request: ImageRequest, isStreamed: boolean, losses: Losses): ImageRequest {
  const { stream, partials, ...delivery } = request.delivery
  if (isStreamed || stream === undefined) return request
  if (partials !== undefined) losses.dropped(['delivery', 'partials'], 'the upstream shows no unfinished images')
  return { ...request, delivery }
}

/** Options of the translation of an answer. */
export type ImageAnswerOptions = Pick<ImageTranslateOptions, 'dialect' | 'id' | 'now'>

/** Images in the caller's protocol. */
export interface TranslatedImages {
  readonly body: JsonObject
  readonly losses: readonly ReportedLoss[]
  readonly usage: Usage | undefined
  /** The number of images that were not blocked. */
  readonly images: number
}

/** Translates the whole answer to a request. If all images were blocked, some protocols have an error for that, which is thrown. */
export function translateImageAnswer(
  caller: ImageProtocol,
  upstream: ImageProtocol,
  body: JsonObject,
  facts: ImageAnswerFacts,
  options: ImageAnswerOptions = {},
): TranslatedImages {
  const answer = readImages(upstream, body, facts, options)
  const losses = createLosses()
  const wire = readAnswer(() => codecOf(caller).answer.encode(answer, writing(caller, facts, losses, options)))
  const images = answer.images.filter(({ source }) => source !== undefined).length
  return { body: wire, losses: reportLosses(losses.entries()), usage: answer.usage, images }
}

/** Translates a stream: push the upstream's bytes, and `write` receives the caller's text. */
export function translateImageStream(
  caller: ImageProtocol,
  upstream: ImageProtocol,
  write: Emit<string>,
  facts: ImageAnswerFacts,
  options: ImageAnswerOptions = {},
): ImageAnswerStream {
  const context = writing(caller, facts, createLosses(), options)
  return createImageAnswerStream(
    streamOf(upstream),
    streamOf(caller).encode(write, context),
    reading(upstream, facts, options),
    context.losses,
  )
}

/** Writes a whole answer as a stream of the caller's, for an upstream that cannot stream. Returns the losses. */
export function writeImageStream(
  caller: ImageProtocol,
  upstream: ImageProtocol,
  body: JsonObject,
  write: Emit<string>,
  facts: ImageAnswerFacts,
  options: ImageAnswerOptions = {},
): readonly ReportedLoss[] {
  const answer = readImages(upstream, body, facts, options)
  const context = writing(caller, facts, createLosses(), options)
  const encoder = streamOf(caller).encode(write, context)
  for (const event of imageEvents(answer)) encoder.push(event)
  encoder.end()
  return reportLosses(context.losses.entries())
}

function readImages(
  upstream: ImageProtocol,
  body: JsonObject,
  facts: ImageAnswerFacts,
  options: ImageAnswerOptions,
): ImageAnswer {
  return readAnswer(() => codecOf(upstream).answer.decode(body, reading(upstream, facts, options)))
}

function reading(
  { issuer }: ImageProtocol,
  { called }: ImageAnswerFacts,
  { dialect }: ImageAnswerOptions,
): MediaDecoding {
  return { issuer, operation: called, dialect }
}

function writing(
  { issuer }: ImageProtocol,
  { operation, requested }: ImageAnswerFacts,
  losses: Losses,
  options: ImageAnswerOptions,
): MediaEncoding {
  return { ...commonContext(options), issuer, losses, toward: 'client', operation, requested }
}

function codecOf({ name, image }: ImageProtocol): ImageCodec {
  if (image === undefined) throw new DragomanError('unsupported', `The protocol ${name} has no images.`)
  return image
}

function streamOf(protocol: ImageProtocol): NonNullable<ImageCodec['stream']> {
  const { stream } = codecOf(protocol)
  if (stream === undefined) throw new DragomanError('unsupported', `The protocol ${protocol.name} streams no images.`)
  return stream
}
