import type { DragomanError, Head, Protocol } from '@dragoman/core'
import type { BodyLease } from './body-memory.ts'
import type { Found, Matched } from './match.ts'
import type { Meter } from './meter.ts'
import type { Caller } from './ports.ts'
import type { Answer } from './reply.ts'
import type { RequestWork } from './bodies/request-work.ts'

/** Running work that can be stopped from outside. */
export interface Running {
  /** Ends it now, with an error that the client can read. */
  stop(error: DragomanError): void
}

/** One call on its way through the steps. */
export interface Exchange {
  readonly head: Head
  readonly protocol: Protocol
  readonly found: Found
  readonly meter: Meter
  readonly answer: Answer
  matched: Matched | undefined
  /** Set once the call has a place. */
  caller: Caller | undefined
  running: Running | undefined
  /** The work on its body. */
  work: RequestWork | undefined
  /** The memory that its body takes; undefined until a body is awaited. */
  lease: BodyLease | undefined
  /** Its body is not needed any more. */
  readonly releaseBody: () => void
  /** When it must be over, in Unix milliseconds. */
  deadline: number
}
