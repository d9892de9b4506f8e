import type { Head } from '@dragoman/core'
import type { Bytes, Fields } from '@dragoman/core/provider'
import type { BreakerState } from '../health/health.ts'
import type { Awaitable } from '../ports/when-there.ts'

/** Receives an answer. It has one writer; after `whole`, `end` or `cut` every call is ignored. */
export interface Reply {
  /** Writes a whole answer at once. */
  whole(status: number, headers: Fields, body: Bytes): void
  start(status: number, headers: Fields): void
  /** If it returns false, pause the source until `onDrain`. */
  write(chunk: Bytes): boolean
  end(): void
  /** Replaces `start` and `write` at doors with web streams: the stream is passed on unread. `end` still follows. */
  through?(status: number, headers: Fields, body: ReadableStream<Uint8Array>): void
  /**
   * Ends an answer abnormally after its head has been sent: everything that was written is delivered, then the connection is closed
   * without the end of the body. Clients that ignore an error inside a stream notice this.
   */
  cut(): void
  onDrain?: (() => void) | undefined
  /** The client left before the end. */
  onGone?: (() => void) | undefined
}

/** A call has two phases, so that no body is buffered for a wrong key or path. */
export interface Gateway {
  /**
   * Matches and admits. It answers errors itself, and neither throws nor rejects; undefined means that the call is answered. The result is a
   * promise only if a key has to be looked up or a stage waits.
   */
  open(head: Head, reply: Reply): Awaitable<Pending | undefined>
  /** Answers a call of which the door could read at most the head. */
  refuse(head: Head, reply: Reply, why: Refusal): void
  /**
   * Refuses new calls, lets running ones finish, and aborts the rest after the grace period. A second call can shorten it. The result is the
   * number of calls that were aborted.
   */
  close(graceMs: number): Promise<number>
  /** The number of calls whose answers are not over. */
  calls(): number
  /** The circuit breakers of the providers and models that were called last. */
  breakers(): readonly BreakerState[]
}

/** An admitted call whose body can now be read. The door calls either `proceed` or `refuse`, once. */
export interface Pending {
  /** The kind of body. In both cases the door passes the bytes, after decompression. */
  readonly takes: 'json' | 'multipart'
  /** The limit in bytes after decompression. Above it the door stops reading and refuses. */
  readonly limit: number
  /** Reserves memory for more bytes of the body. If it returns false, `onRoom` is called when there is memory. */
  reserve(bytes: number): boolean
  onRoom: (() => void) | undefined
  proceed(body: Uint8Array): void
  refuse(why: Refusal): void
}

/** Why a door refuses a call: its body or its head is wrong. */
export type Refusal =
  | 'too-large'
  | 'malformed'
  | 'timeout'
  | 'encoding'
  /** There was no memory for the body in time. */
  | 'no-room'
  | 'malformed-head'
  | 'large-head'
  | 'slow-head'
  | 'no-host'
  | 'expectation'
