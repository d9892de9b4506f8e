import type { DragomanError, Loss, Usage } from '@dragoman/core'
import type { Bytes, Call } from '@dragoman/core/provider'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'

/** How an upstream is asked, and what becomes of its answer. Relay and translate are the two ways; `dispatch` drives both. */
export interface Way {
  readonly call: Call
  /** The media type that a streamed answer must have. */
  readonly streamType: string
  error(status: number, body: string): DragomanError
  /** A whole answer, as the client gets it. Throws what it cannot accept. */
  whole(body: Uint8Array): Outgoing | ErrorInside | Promise<Outgoing | ErrorInside>
  /** Called once, for an answer that is a stream. */
  stream(): StreamWay
}

/** Each call gives back what goes to the client now. */
export interface StreamWay {
  push(chunk: Uint8Array): Bytes | undefined
  /** The upstream ended; without a terminal event this gives an in-band error. */
  end(): Bytes | undefined
  /** The protocol's own error inside a stream. */
  fail(error: DragomanError): Bytes | undefined
  /** What broke the stream, whoever noticed it. */
  failed(): DragomanError | undefined
  /** The terminal event is out: nothing more will come. */
  isDone(): boolean
  /** The client gets every byte as the upstream sent it, whatever comes. */
  readonly isUntouched: boolean
  /** A keep-alive may be written now. */
  isBetweenFrames(): boolean
  /** Known so far; asked once, at the end. */
  report(): { readonly usage?: Usage | undefined; readonly losses: readonly Loss[] }
}
