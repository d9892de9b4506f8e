import type { DragomanError } from '@dragoman/core'
import type { Failure, Redact, Transport } from '@dragoman/core/provider'
import type { Exchange } from '../exchange.ts'
import type { Settings } from '../settings.ts'
import type { Valve } from './valve.ts'
import type { Way } from './way.ts'

/** One call to an upstream. */
export interface Dispatch {
  readonly settings: Settings
  readonly exchange: Exchange
  readonly transport: Transport
  readonly way: Way
  /** Takes the provider's secrets out of what its upstream said. */
  readonly redact: Redact
  readonly stream: boolean
  /** A sign of life in the client's protocol. */
  readonly keepAlive: string
  /**
   * Makes another attempt after an error before the first byte of an answer; false: the error stands. `failure` is given where the
   * upstream could not be reached at all.
   */
  readonly retry?: ((error: DragomanError, failure?: Failure) => boolean) | undefined
}

/** Takes one answer of an upstream: a stream, or a body that is collected. */
export interface Sink {
  push(chunk: Uint8Array): void
  end(): void
  /** The call failed: the client is told as far as that is still possible. */
  fail(error: DragomanError): void
  /** The client is gone: what is known so far goes to the meter. */
  close(): void
}

/** One attempt, and how its parts steer it. */
export interface Control {
  readonly valve: Valve
  /** Set when the head of an answer is there. */
  sink: Sink | undefined
  /** Another attempt has taken over: nothing of this one counts any more. */
  isReplaced: boolean
  /** Asks for another attempt; false: the error stands. */
  readonly retry: (error: DragomanError, failure?: Failure) => boolean
  /** Ends the call with an error. */
  readonly fail: (error: DragomanError) => void
  /** Ends the call with an error, and cancels the upstream. */
  readonly abandon: (thrown: unknown) => void
}
