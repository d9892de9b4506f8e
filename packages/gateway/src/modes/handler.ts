import type { DragomanError, JsonObject, Loss, PriceTerms, Pricing, Usage } from '@dragoman/core'
import type { Bytes, Call } from '@dragoman/core/provider'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import type { Restreamed } from './restream.ts'

/** The call to an upstream and the handling of its answer. Relay and translate implement it; `dispatch` uses it. */
export interface Handler {
  readonly call: Call
  /** The media type of a streamed answer. */
  readonly streamType: string
  error(status: number, body: string): DragomanError
  /** A whole answer for the client. Throws if it cannot read the answer. The signal aborts when the caller is gone or the time is over. */
  whole(body: Uint8Array, signal: () => AbortSignal): Outgoing | ErrorInside | Promise<Outgoing | ErrorInside>
  /** Called once, for a streamed answer. */
  stream(): StreamHandler
  /** A whole answer as the upstream would stream it. Throws if it is not an answer. Absent if such an answer is an error. */
  readonly restream?: ((answer: JsonObject) => Restreamed) | undefined
  /** Set if the caller requested the price in the answer. */
  readonly pricing?: Pricing | undefined
}

/** What is known about a stream at its end. */
export interface StreamReport {
  readonly usage?: Usage | undefined
  /** What the upstream has reported about the price. */
  readonly terms?: PriceTerms | undefined
  /** An estimate of the tokens of output that the usage does not include: 0 if it includes all; absent if this is not known. */
  readonly uncounted?: number | undefined
  readonly losses: readonly Loss[]
}

/** Each function returns what is written to the client now. */
export interface StreamHandler {
  push(chunk: Uint8Array): Bytes | undefined
  /** The start of the answer, before the upstream has begun. Absent if only the upstream can write it. */
  readonly begin?: () => Bytes | undefined
  /** The upstream has ended. Without a terminal event this returns an error frame. */
  end(): Bytes | undefined
  /** The protocol's own error inside a stream. */
  fail(error: DragomanError): Bytes | undefined
  /** The error that ended the stream. */
  failed(): DragomanError | undefined
  /** The terminal event has been written. */
  isDone(): boolean
  /** Whether the client may get every byte as the upstream sent it: the model's name and the price are the only other edits. */
  readonly isUntouched: boolean
  /** Whether parts of it are kept until its end, so that its size must be limited. */
  readonly isKept: boolean
  /** A frame of the gateway, with the line ends of this stream. */
  withLineEnds(frame: string): string
  /** A keep-alive may be written now. */
  isBetweenFrames(): boolean
  /** The usage so far. */
  usage(): Usage | undefined
  /** The terms of price so far; absent if answers of this kind have none. */
  terms?(): PriceTerms | undefined
  /** What is known so far. Called once, at the end. */
  report(): StreamReport
}
