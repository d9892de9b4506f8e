import {
  createLosses,
  createNameMap,
  type DecodeContext,
  type EncodeContext,
  type JsonObject,
  type Limits,
  type Losses,
  type Part,
  type Protocol,
} from '@dragoman/core'
import type { Arbitrary } from 'fast-check'
import type { World } from '../generators/world.ts'

/** What the laws need to know of a protocol beyond its codec: its wire, its spellings, and how strict its other side is. */
export interface Subject {
  /** Tool names that its upstreams take. */
  readonly names: { readonly allowed: RegExp; readonly limit: number }
  /** What a card says for an upstream that takes every member of the generated wires. */
  readonly dialect?: JsonObject
  readonly wires: {
    readonly request: Arbitrary<JsonObject>
    readonly response: Arbitrary<JsonObject>
    readonly stream: Arbitrary<WireStream>
  }
  /** Alternative spellings made one. Idempotent, short, and keeps every unknown field. */
  readonly canon: {
    readonly request: (wire: JsonObject) => JsonObject
    readonly response: (wire: JsonObject) => JsonObject
  }
  /**
   * Puts the parts of an answer in an order that the protocol says alike whole and streamed. Absent: it has one order for both.
   * A protocol whose whole answers hold one text cannot say there what a stream says between two pieces of it.
   */
  readonly alike?: (parts: readonly Part[]) => readonly Part[]
  /** The strict double of the other side: throws what it would refuse. */
  readonly accepts: {
    request(wire: JsonObject): void
    response(wire: JsonObject): void
    stream(text: string): void
  }
}

/** A stream as it is on the wire, frame by frame, its framing included. */
export interface WireStream {
  /** The request that it answers. */
  readonly body: JsonObject
  readonly frames: readonly string[]
  /** The first frame after which the answer is whole. Cut before it, the stream is broken. */
  readonly whole: number
  /** A frame that only metering asked for: taken out on the way to a client that did not. */
  readonly unasked?: number | undefined
  /** The same answer, had it not been streamed. */
  readonly answer: JsonObject
}

/** One exchange: the same issuer and names on the way out and back, numbered ids, a clock that stands still. */
export interface Exchange {
  readonly decode: DecodeContext
  encode(losses: Losses): EncodeContext
}

export interface ExchangeOptions {
  readonly toward: 'upstream' | 'client'
  readonly names?: Iterable<string>
  readonly limits?: Limits
  readonly stop?: readonly string[]
  readonly dialect?: JsonObject | undefined
}

export function createExchange(protocol: Protocol, subject: Subject, options: ExchangeOptions): Exchange {
  const names = createNameMap(options.names ?? [], subject.names.allowed, subject.names.limit)
  const decode = { issuer: protocol.issuer, names, dialect: options.dialect }
  let ids = 0
  return {
    decode,
    encode: (losses) => ({
      ...decode,
      losses,
      toward: options.toward,
      id: () => `new_${++ids}`,
      now: 1_700_000_000,
      limits: options.limits,
      asked: { usage: true, stop: options.stop },
    }),
  }
}

export function worldOf(protocol: Protocol): World {
  return { protocol: protocol.name, issuer: protocol.issuer }
}

/** What arrives when a value is sent: JSON text, read again. */
export function sent(wire: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(wire)) as JsonObject // an object goes in, an object comes out
}

/** A report that must stay empty. */
export function createNoLosses(): Losses & { mustBeEmpty(): void } {
  const losses = createLosses()
  return {
    ...losses,
    mustBeEmpty() {
      if (losses.entries().length > 0) throw new Error(`reported as lost: ${JSON.stringify(losses.entries())}`)
    },
  }
}
