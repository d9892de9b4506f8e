import { createLosses, createSseReader, type JsonObject, type Losses, type Protocol } from '@dragoman/core'
import {
  createImageFold,
  type ImageAnswer,
  type ImageCodec,
  type ImageEvent,
  type ImageRequest,
  type MediaCall,
  type MediaDecoding,
  type MediaEncoding,
} from '@dragoman/core/media'
import { bytesOf } from './streams.ts'

/** The image codec of a protocol under test. */
export function codecOf({ name, image }: Protocol): ImageCodec {
  if (image === undefined) throw new Error(`${name} has no codec for images`)
  return image
}

export function reading({ issuer }: Protocol, operation: string, dialect?: JsonObject): MediaDecoding {
  return { issuer, operation, dialect }
}

export function writing(
  protocol: Protocol,
  losses: Losses,
  operation: string,
  members: Partial<MediaEncoding> = {},
): MediaEncoding {
  return { ...reading(protocol, operation), losses, toward: 'client', id: () => 'id', now: 1_700_000_000, ...members }
}

/** Reads a request as the other side does. Protocols without a model or a stream in the body have them in the path. */
export function readCall(
  protocol: Protocol,
  { operation, body }: MediaCall,
  request?: Pick<ImageRequest, 'model'>,
  dialect?: JsonObject,
): ImageRequest {
  const codec = codecOf(protocol)
  const path = { model: request?.model ?? 'some/model', stream: undefined }
  return codec.decode(codec.check(body, { operation }), { ...reading(protocol, operation, dialect), path })
}

export function decodeImages(protocol: Protocol, text: string, operation: string): readonly ImageEvent[] {
  const events: ImageEvent[] = []
  const machine = codecOf(protocol).stream?.decode((event) => events.push(event), reading(protocol, operation))
  const reader = createSseReader((data) => machine?.push(data))
  reader.push(bytesOf(text))
  reader.end()
  machine?.end()
  return events
}

export function encodeImages(protocol: Protocol, events: readonly ImageEvent[], context: MediaEncoding): string {
  let text = ''
  const machine = codecOf(protocol).stream?.encode((piece) => (text += piece), context)
  for (const event of events) machine?.push(event)
  machine?.end()
  return text
}

/** Decodes a stream and encodes it event by event, as a gateway does. Returns the last event. */
export function passImages(protocol: Protocol, text: string, operation: string): ImageEvent | undefined {
  const { stream } = codecOf(protocol)
  const encoder = stream?.encode(() => undefined, writing(protocol, createLosses(), operation))
  let last: ImageEvent | undefined
  const decoder = stream?.decode(
    (event) => {
      last = event
      encoder?.push(event)
    },
    reading(protocol, operation),
  )
  const reader = createSseReader((data) => decoder?.push(data))
  reader.push(bytesOf(text))
  reader.end()
  decoder?.end()
  encoder?.end()
  return last
}

export function foldImages(events: readonly ImageEvent[]): ImageAnswer {
  const fold = createImageFold()
  for (const event of events) fold.push(event)
  return fold.answer()
}
