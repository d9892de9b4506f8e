import type { Delivery, Dialogue, Wire } from './dialogue.ts'

/** Sends a request to the gateway under test. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** Sends a request to a model, in the form of a protocol. */
export type Ask = (dialogue: Dialogue, model: string, text: string, options?: AskOptions) => Promise<Response>

export interface AskOptions {
  readonly delivery?: Delivery
  /** Members of the body, in addition to the question or instead of it. */
  readonly members?: Wire
  readonly headers?: Record<string, string>
  /** Replaces the whole body. */
  readonly body?: string
  /** Replaces the headers of the protocol. */
  readonly path?: string
}
