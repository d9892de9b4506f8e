import type { Bytes, ErrorKind, Fields, ModelRequest, Usage } from '@dragoman/core'
import type { Caller, Outcome } from '../ports.ts'

/**
 * A step of your own in the path of every call: a limit, a guardrail, a header. Hooks run in the order of the stages. The first
 * three may take their time, and refuse the call by throwing a `DragomanError`, which the client gets in the shape of its protocol.
 */
export interface Stage {
  /** Path and key are good; the body is not read yet. */
  afterAdmission?(call: StageCall): void | Promise<void>
  /** The body was read and checked; no route is chosen yet. Not for operations without a body. */
  beforeRoute?(call: ReadCall): void | Promise<void>
  /** The body for one route is ready. Runs again for every further attempt. */
  beforeCall?(call: RoutedCall): void | Promise<void>
  /**
   * The answer is about to begin: headers can still be added, and a throw still refuses it. A function that is returned sees every
   * piece that goes to the client. Must not wait. Runs for calls that this stage has admitted, as the next one does.
   */
  aroundAnswer?(call: StageCall, answer: AnswerHead): ((piece: Bytes) => void) | void
  /** The call is over. Runs once for every call that this stage has admitted, however it ended, also when its client left. */
  onSettle?(call: StageCall, end: CallEnd): void
}

/** A call, as stages see it: nothing here holds a key. One object from admission to the end. */
export interface StageCall {
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** The name of the protocol that the client speaks. */
  readonly protocol: string
  /** `generate`, `count`, `models`, … */
  readonly operation: string
  /** Undefined: the operation needs no key. */
  readonly caller: Caller | undefined
  /** A header of the request. Those that can hold a key are never given. */
  readonly header: (name: string) => string | undefined
  /** Adds headers to the answer, whatever it will be. */
  readonly addHeaders: (headers: Fields) => void
}

/** A call whose body was read. */
export interface ReadCall extends StageCall {
  /** As the client wrote it. */
  readonly model: string
  readonly stream: boolean
  /** The request in the IR. Decoded when it is first asked for; undefined where the operation has no conversation. */
  readonly request: () => Promise<ModelRequest | undefined>
}

/** A call that is about to be sent. */
export interface RoutedCall extends ReadCall {
  readonly route: StageRoute
  /** Adds headers to this attempt. Those that the provider sets itself, its key among them, stay as they are. */
  readonly addUpstreamHeaders: (headers: Fields) => void
}

/** Where a call goes. */
export interface StageRoute {
  readonly provider: string
  /** `<provider>/<name>` */
  readonly model: string
  /** The name of the protocol that the upstream speaks. */
  readonly protocol: string
}

/** How an answer begins. */
export interface AnswerHead {
  readonly status: number
  readonly streamed: boolean
  /** Of an answer that is an error. */
  readonly error?: ErrorKind | undefined
}

/** How a call ended. */
export interface CallEnd {
  /** 499 where the client left before the answer began. */
  readonly status: number
  readonly outcome: Outcome
  readonly error?: ErrorKind | undefined
  /** As far as the upstream counted. */
  readonly usage?: Usage | undefined
  readonly ms: number
}
