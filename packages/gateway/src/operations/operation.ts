import type { Match, Protocol } from '@dragoman/core'
import type { SentForm } from '../bodies/form-parts.ts'
import type { BodyFacts, RequestWork, WorkOptions } from '../bodies/request-work.ts'
import type { Exchange } from '../exchange.ts'
import type { Matched } from '../match.ts'
import type { MeteredOperation } from '../meter.ts'
import type { Route } from '../route.ts'
import type { Next } from '../routing/next.ts'
import type { Settings } from '../settings.ts'

/** What a call can ask for: one row of the table of operations. */
export type Operation = HeadOperation | BodyOperation

/** The facts that every operation states. */
interface OperationFacts extends MeteredOperation {
  /** The protocol member that it uses. A protocol without this codec answers with its own 404. */
  readonly codec: keyof Protocol
  /** Whether a call needs a key; `if private` leaves it to the setting `modelLists`, and honours a key that is sent. */
  readonly needsKey: boolean | 'if private'
}

/** An operation without a request body. */
export interface HeadOperation extends OperationFacts {
  readonly body: 'none'
  run(settings: Settings, exchange: Exchange, matched: Matched): void
}

/** An operation with a request body. */
export type BodyOperation = CallingOperation | LocalOperation

/** An operation that calls the upstream of a route. */
export type CallingOperation = JsonOperation | FormOperation | MixedOperation

/** An operation with a JSON body that has no routes to choose from. */
export interface LocalOperation<Facts extends BodyFacts = BodyFacts> extends OperationFacts {
  readonly body: 'json'
  createWork(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions): RequestWork<Facts>
  answer(call: OperationCall<Facts>): void
}

/** An operation with a JSON body, which another thread can process. */
export interface JsonOperation<Facts extends BodyFacts = BodyFacts> extends RoutedOperation<Facts> {
  readonly body: 'json'
  /** Creates the work on a body. Runs in any thread, so results are plain data. */
  createWork(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions): RequestWork<Facts>
}

/** An operation with a body that is JSON or a form, as its content type says. Another thread can process both. */
export interface MixedOperation<Facts extends BodyFacts = BodyFacts> extends RoutedOperation<Facts> {
  readonly body: 'json or multipart'
  createWork(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions): RequestWork<Facts>
  createFormWork(inbound: Protocol, match: Match, form: SentForm, options: WorkOptions): RequestWork<Facts>
}

/** An operation with a `multipart/form-data` body. */
export interface FormOperation<Facts extends BodyFacts = BodyFacts> extends RoutedOperation<Facts> {
  readonly body: 'multipart'
  createWork(inbound: Protocol, match: Match, form: FormData, options: WorkOptions): RequestWork<Facts>
}

interface RoutedOperation<Facts extends BodyFacts> extends OperationFacts {
  /** Whether a route can serve it. Other routes are skipped. Absent: every route can. */
  serves?(route: Route, inbound: Protocol, body: Facts): boolean
  /** Calls the upstream of a route. `next` is told if that fails before the first byte of the answer. */
  ask(call: OperationCall<Facts>, route: Route, next: Next): void
  /** Answers without an upstream if no route can serve it. Absent: this is an error. */
  answerAlone?(call: OperationCall<Facts>, route: Route): void
}

/** A call whose body has been read. */
export interface OperationCall<Facts extends BodyFacts = BodyFacts> {
  readonly settings: Settings
  readonly exchange: Exchange
  readonly match: Match
  readonly work: RequestWork<Facts>
  readonly body: Facts
  /** Ends the call with an error. */
  readonly fail: (thrown: unknown) => void
}
