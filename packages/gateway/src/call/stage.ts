import type { Estimate } from '../routing/estimate.ts'
import type { ErrorKind, ModelRequest, RateLimits, Usage } from '@dragoman/core'
import type { Bytes, Cost, Fields } from '@dragoman/core/provider'
import type { Attempt, Caller, Outcome, UsageRecord } from '../ports/ports.ts'

/**
 * An object with hooks that run at fixed points of every call, for limits, guardrails or headers. Hooks of one kind run in the order of
 * the stages. To refuse a call, throw a `DragomanError`: the client receives it in the error shape of its protocol.
 */
export interface Stage {
  /** Runs after path and key are accepted, before the body is read. May be asynchronous. */
  afterAdmission?(call: StageCall): void | Promise<void>
  /** Runs after the body is read and checked, before a route is chosen. May be asynchronous. Operations without a body skip it. */
  beforeRoute?(call: ReadCall): void | Promise<void>
  /** Runs before each attempt to call an upstream. May be asynchronous. */
  beforeCall?(call: RoutedCall): void | Promise<void>
  /** Runs when an attempt is over, before the next one begins or the call settles. What it throws is reported and changes nothing. */
  onAttempt?(call: RoutedCall, attempt: Attempt): void
  /**
   * Runs before the first byte of the answer, for calls that passed this stage's `afterAdmission`. If it returns a function, that
   * function receives every piece of the answer; it can refuse the rest by a `DragomanError`. Must be synchronous.
   */
  aroundAnswer?(call: StageCall, answer: AnswerHead): ((piece: Bytes) => void) | void
  /** Runs once when a call that passed this stage's `afterAdmission` is over, even if the client left. What it throws is reported and changes nothing. */
  onSettle?(call: StageCall, end: CallEnd): void
}

/** What stages see of a call: the same object in every hook, without keys. */
export interface StageCall {
  readonly requestId: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly method: string
  readonly path: string
  /** The name of the client's protocol. */
  readonly protocol: string
  /** `generate`, `count`, `models`, … */
  readonly operation: string
  /** Undefined if the operation needs no key. */
  readonly caller: Caller | undefined
  /** A header of the request. Always undefined for headers that carry credentials. */
  readonly header: (name: string) => string | undefined
  /** Adds headers to the answer, or to the error that takes its place. */
  readonly addHeaders: (headers: Fields) => void
  /** Keeps the body of the request until the call is over, as `body`. Call it before the body is read. */
  readonly keepBody: () => void
  /** The body of the request, after decompression. Undefined without `keepBody`, and until it is read. */
  readonly body: Uint8Array | undefined
  /** Adds what is left of the caller's limits, in the headers of its protocol. */
  readonly addRateLimits: (limits: RateLimits) => void
}

/** A call with its body. */
export interface ReadCall extends StageCall {
  /** As the client wrote it. */
  readonly model: string
  readonly stream: boolean
  /** The request in the IR, decoded on the first call. Undefined if the operation's body is not a conversation. */
  readonly request: () => Promise<ModelRequest | undefined>
  /**
   * Every upstream call for it must have a price: what the card has none for is charged by the card's ceiling, and a call that has neither is
   * refused with a 403. Call it before a route is chosen.
   */
  readonly requirePrice: () => void
}

/** A call that is about to be sent. */
export interface RoutedCall extends ReadCall {
  readonly route: StageRoute
  /** 16 hexadecimal digits that calls of one conversation have in common; empty if that is unknown. */
  readonly conversation: () => string
  /** What the call to this route is expected to use. */
  readonly estimate: () => Estimate
  /** Adds headers to this upstream call. Headers that the provider sets, such as its key, cannot be replaced. */
  readonly addUpstreamHeaders: (headers: Fields) => void
}

/** The route of a call. */
export interface StageRoute {
  readonly provider: string
  /** `<provider>/<name>` */
  readonly model: string
  /** The upstream's name of the model. */
  readonly upstreamModel: string
  /** The name of the upstream's protocol. */
  readonly protocol: string
  readonly mode: 'relay' | 'translate'
}

/** How an answer begins. */
export interface AnswerHead {
  readonly status: number
  readonly streamed: boolean
  /** Set if the answer is an error. */
  readonly error?: ErrorKind | undefined
}

/** How a call ended. */
export interface CallEnd {
  /** 499 if the client left. */
  readonly status: number
  readonly outcome: Outcome
  readonly error?: ErrorKind | undefined
  /** What the upstream has reported. */
  readonly usage?: Usage | undefined
  /** The price of that usage; absent if the card has no prices. */
  readonly cost?: Cost | undefined
  readonly ms: number
  /** What a ledger gets. Absent if no upstream was called. */
  readonly record?: UsageRecord | undefined
}

/** The hooks of all stages, by kind. An empty kind costs nothing. */
export interface Hooks {
  readonly stages: number
  /** Whether a stage of the embedder gets the ends of calls, and their records. */
  readonly wantsRecords: boolean
  readonly afterAdmission: readonly StageHook<NonNullable<Stage['afterAdmission']>>[]
  readonly beforeRoute: readonly NonNullable<Stage['beforeRoute']>[]
  readonly beforeCall: readonly NonNullable<Stage['beforeCall']>[]
  readonly onAttempt: readonly NonNullable<Stage['onAttempt']>[]
  readonly aroundAnswer: readonly StageHook<NonNullable<Stage['aroundAnswer']>>[]
  readonly onSettle: readonly StageHook<NonNullable<Stage['onSettle']>>[]
}

/** A hook and the index of its stage. */
interface StageHook<Hook> {
  readonly stage: number
  readonly run: Hook
}

/** The object that stages see. Members that are not known yet are empty. */
export interface CallView extends RoutedCall {
  model: string
  stream: boolean
  route: StageRoute
  keepsBody: boolean
  body: Uint8Array | undefined
  /** The headers that stages have added to the next upstream call. */
  upstreamHeaders: Fields
}
