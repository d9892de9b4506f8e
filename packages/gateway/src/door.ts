import type { Head } from '@dragoman/core'
import type { Bytes, Fields } from '@dragoman/core/provider'

/** Where an answer goes. Written by one owner; after `whole`, `end` or `cut` every call is ignored. */
export interface Reply {
  /** One head, one end. */
  whole(status: number, headers: Fields, body: Bytes): void
  start(status: number, headers: Fields): void
  /** False: pause the source until `onDrain`. */
  write(chunk: Bytes): boolean
  end(): void
  /** In place of `start` and `write`, at doors that have web streams: passed on without a look at it. `end` still follows. */
  through?(status: number, headers: Fields, body: ReadableStream<Uint8Array>): void
  /** The head is out and nothing true can be said any more. */
  cut(): void
  onDrain?: (() => void) | undefined
  /** The client went away before the end. */
  onGone?: (() => void) | undefined
}

/** Two phases, so that nobody buffers a body for a wrong key or path. */
export interface Gateway {
  /** Matches and admits. Errors are answered inside: it never rejects, and undefined means already answered. */
  open(head: Head, reply: Reply): Promise<Pending | undefined>
  /** Answers a call of which the door could read no more than the head given, if that. */
  refuse(head: Head, reply: Reply, why: Refusal): void
  /** Refuses new work, lets what is running finish, and cuts what is left after the grace. Told again, the shorter grace counts. */
  close(graceMs: number): Promise<void>
}

/** An admitted call whose body may now be read. Exactly one of `proceed` and `refuse` is called, once. */
export interface Pending {
  /** Either way the door hands over the bytes as they came, after decompression. */
  readonly takes: 'json' | 'multipart'
  /** In bytes after decompression; the door stops reading above it and refuses. */
  readonly limit: number
  /** Room for so many more bytes of the body. False: there is none yet, and `onRoom` is called once there is. */
  reserve(bytes: number): boolean
  onRoom: (() => void) | undefined
  proceed(body: Uint8Array): void
  refuse(why: Refusal): void
}

/** Why a door gives up: what is wrong with a body, or with the head before it. */
export type Refusal =
  | 'too-large'
  | 'malformed'
  | 'timeout'
  | 'encoding'
  /** No room came free for it in time. */
  | 'no-room'
  | 'malformed-head'
  | 'large-head'
  | 'slow-head'
  | 'no-host'
  | 'expectation'
