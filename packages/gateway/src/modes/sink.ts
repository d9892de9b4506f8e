import type { DragomanError } from '@dragoman/core'
import type { Redact, Transport } from '@dragoman/core/provider'
import type { Exchange } from '../call/exchange.ts'
import type { Route } from '../models/route.ts'
import type { Failed } from '../health/failed.ts'
import type { Next } from '../routing/next.ts'
import type { Settings } from '../call/settings.ts'
import type { Valve } from './valve.ts'
import type { Handler } from './handler.ts'

/** One call to an upstream. */
export interface Dispatch {
  readonly settings: Settings
  readonly exchange: Exchange
  readonly transport: Transport
  readonly handler: Handler
  /** Removes the provider's secrets from text of its upstream. */
  readonly redact: Redact
  readonly stream: boolean
  /** A keep-alive in the client's protocol. */
  readonly keepAlive: string
  /** The keep-alive before the first frame, if the protocol has another one there. */
  readonly earlyKeepAlive?: string | undefined
  readonly route: Route
  /** Takes an error before the first byte of the answer. */
  readonly next: Next
}

/** Receives one answer of an upstream: a stream or a whole body. */
export interface Sink {
  push(chunk: Uint8Array): void
  end(): void
  /** Ends the answer with an error, as far as the client can still receive it. */
  fail(error: DragomanError): void
  /** The rest is not awaited: passes the usage so far to the meter, or an estimate. */
  close(): void
}

/** The state of one attempt, shared by its parts. */
export interface Control {
  readonly valve: Valve
  /** Set when the head of the answer arrives. */
  sink: Sink | undefined
  /** Another attempt has replaced this one. */
  isReplaced: boolean
  /** The upstream has not received the call. */
  isUnreceived: boolean
  /** Passes what the upstream bills to the meter, if it has received the call. */
  readonly account: () => void
  /** Makes another attempt. Returns false if there is none. */
  readonly retry: (failed: Failed) => boolean
  /** Ends the call with an error. */
  readonly fail: (error: DragomanError) => void
  /** Ends the call with an error, and cancels the upstream. */
  readonly abandon: (thrown: unknown) => void
}
