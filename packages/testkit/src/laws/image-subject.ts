import type { JsonObject } from '@dragoman/core'
import type { ImageAnswer, MediaCall } from '@dragoman/core/media'
import type { Arbitrary } from 'fast-check'

/** What the laws of images must know about one protocol. */
export interface ImageSubject {
  readonly wires: {
    /** Requests of clients, with the operation of their path. */
    readonly request: Arbitrary<MediaCall>
    readonly answer: Arbitrary<JsonObject>
    /** Absent if the protocol cannot stream images. */
    readonly stream?: Arbitrary<WireImageStream>
  }
  /** Alternative spellings; idempotent. */
  readonly canon: {
    request(call: MediaCall): MediaCall
    answer(wire: JsonObject): JsonObject
  }
  /** Dialects of upstreams with which requests are honest too. The first one is that of the identity law. */
  readonly dialects: readonly [JsonObject | undefined, ...(JsonObject | undefined)[]]
  /** An answer without members that only whole answers have, and with those that every event has. Absent if both have the same members. */
  readonly alike?: (answer: ImageAnswer) => ImageAnswer
  /** The strict double of the other side: throws if it would refuse the value. */
  readonly accepts: {
    request(call: MediaCall): void
    answer(wire: JsonObject): void
    stream?(text: string, operation: string): void
  }
  /** Inputs of growing size, for linear time. */
  readonly shapes: {
    readonly request: { readonly [what: string]: (size: number) => MediaCall }
    readonly answer: { readonly [what: string]: (size: number) => JsonObject }
    readonly stream?: { readonly [what: string]: (size: number) => readonly string[] }
  }
}

/** A stream on the wire, frame by frame, with its framing. */
export interface WireImageStream {
  readonly operation: string
  readonly frames: readonly string[]
  /** The same answer without streaming. */
  readonly answer: JsonObject
}
