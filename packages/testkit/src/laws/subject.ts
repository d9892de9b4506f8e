import {
  createLosses,
  createNameMap,
  type DecodeContext,
  type EncodeContext,
  type JsonObject,
  type Limits,
  type Losses,
  type ModelResponse,
  type Part,
  type Protocol,
} from '@dragoman/core'
import type { Arbitrary } from 'fast-check'
import type { World } from '../generators/world.ts'

/** What the laws need to know about a protocol beyond its codec: its wire, its spellings, and how strict its other side is. */
export interface Subject {
  /** Tool names that its upstreams accept. */
  readonly names: { readonly allowed: RegExp; readonly limit: number }
  /** The dialect of a card for an upstream that accepts every member of the generated wires. */
  readonly dialect?: JsonObject
  /** The dialect of a card for an upstream that accepts less than the protocol has, and the names that it accepts. */
  readonly less?: { readonly dialect: JsonObject; readonly names: Subject['names'] }
  readonly wires: {
    readonly request: Arbitrary<JsonObject>
    readonly response: Arbitrary<JsonObject>
    readonly stream: Arbitrary<WireStream>
  }
  /** The paths of all counts that are read from whole responses, from the member with the usage on. */
  readonly counts: readonly string[]
  /** Members of requests whose values upstreams take and clients may not send: the double of the upstream checks them. */
  readonly beyondClients?: readonly string[]
  /** Reduces alternative spellings to one. Idempotent, short, and keeps every unknown member. */
  readonly canon: {
    readonly request: (wire: JsonObject) => JsonObject
    readonly response: (wire: JsonObject) => JsonObject
  }
  /**
   * Sorts the parts of a response into an order that is the same for whole and streamed answers. Absent if the protocol has one order. If
   * whole responses have a single text, they cannot express what a stream has between two pieces of text.
   */
  readonly alike?: (parts: readonly Part[]) => readonly Part[]
  /** Where whole responses and the frames of a stream name the requested model; absent if they keep the upstream's name of it. */
  readonly model?: { readonly whole: readonly string[]; readonly frame: readonly string[] }
  /**
   * A response as it is read when the client sends it back. Absent if that is what `decode` reads. A protocol needs it if one part of a
   * response can carry the seals of others: a stream of such parts is not read before they are all there.
   */
  readonly echoed?: (response: ModelResponse, exchange: Exchange) => ModelResponse
  /** The strict double of the other side: throws if it would refuse the value. */
  readonly accepts: {
    request(wire: JsonObject): void
    response(wire: JsonObject): void
    stream(text: string): void
  }
}

/** A stream on the wire, frame by frame, with its framing. */
export interface WireStream {
  /** The request of this stream. */
  readonly body: JsonObject
  readonly frames: readonly string[]
  /** The first frame after which the response is complete. A stream that is cut before it is broken. */
  readonly whole: number
  /** The frame that only metering requested: removed for a client that did not request it. */
  readonly unasked?: number | undefined
  /** The same response without streaming. */
  readonly answer: JsonObject
}

/** One exchange: the same issuer and names in both directions, numbered ids, a fixed clock. */
export interface Exchange {
  readonly decode: DecodeContext
  encode(losses: Losses): EncodeContext
}

export interface ExchangeOptions {
  readonly toward: 'upstream' | 'client'
  readonly names?: Iterable<string>
  readonly caller?: string
  readonly limits?: Limits
  readonly stop?: readonly string[]
  readonly dialect?: JsonObject | undefined
}

export function createExchange(protocol: Protocol, subject: Subject, options: ExchangeOptions): Exchange {
  const { less } = subject
  const rule = less !== undefined && options.dialect === less.dialect ? less.names : subject.names
  const names = createNameMap(options.names ?? [], rule.allowed, rule.limit)
  const decode = { issuer: protocol.issuer, names, dialect: options.dialect }
  let ids = 0
  return {
    decode,
    encode: (losses) => ({
      ...decode,
      losses,
      toward: options.toward,
      caller: options.caller,
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

/** A value as the other side receives it: written as JSON text and parsed again. */
export function sent(wire: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(wire)) as JsonObject // an object stays an object
}

/** A request as an upstream reads it, checked like that of a client. */
export function checkedAsSent(protocol: Protocol, subject: Subject, wire: JsonObject): JsonObject {
  const isBeyond = ([member]: [string, unknown]) => subject.beyondClients?.includes(member) === true
  const members = Object.entries(wire)
  const checked = protocol.request.check(Object.fromEntries(members.filter((member) => !isBeyond(member))))
  return { ...checked, ...Object.fromEntries(members.filter(isBeyond)) }
}

/** A loss report that must stay empty. */
export function createNoLosses(): Losses & { mustBeEmpty(): void } {
  const losses = createLosses()
  return Object.assign(losses, {
    mustBeEmpty() {
      if (losses.entries().length > 0) throw new Error(`reported as lost: ${JSON.stringify(losses.entries())}`)
    },
  })
}
