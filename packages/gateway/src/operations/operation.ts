import type { Match, Protocol } from '@dragoman/core'
import type { BodyFacts, LocalWork, RequestWork, WorkOptions } from '../bodies/request-work.ts'
import type { Exchange } from '../exchange.ts'
import type { Matched } from '../match.ts'
import type { Route } from '../resolve.ts'
import type { Settings } from '../settings.ts'

/** What a call can ask for: one row of the table of operations, one file of this folder. */
export type Operation = HeadOperation | BodyOperation

/** What every operation says of itself. */
interface OperationFacts {
  /** As protocols name it in `Match`. */
  readonly name: string
  /** The codec that it uses. A protocol without it does not have the operation, and answers with its own 404. */
  readonly codec: keyof Protocol
  readonly needsKey: boolean
  /** What the ledger gets: a record with what the upstream counted, a record of the call alone, or nothing. */
  readonly metered: 'usage' | 'calls' | 'nothing'
}

/** Answered without a body. */
export interface HeadOperation extends OperationFacts {
  readonly body: 'none'
  run(settings: Settings, exchange: Exchange, matched: Matched): void
}

/** Reads a body, and asks the upstream of a route. */
export type BodyOperation = JsonOperation | FormOperation

/** Its body is JSON. Another thread can work on it. */
export interface JsonOperation<Facts extends BodyFacts = BodyFacts> extends RoutedOperation<Facts> {
  readonly body: 'json'
  /** The work on a body, in whichever thread: plain data in and out. */
  createWork(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions): LocalWork<Facts>
}

/** Its body is `multipart/form-data`. */
export interface FormOperation<Facts extends BodyFacts = BodyFacts> extends RoutedOperation<Facts> {
  readonly body: 'multipart'
  createWork(inbound: Protocol, match: Match, form: FormData, options: WorkOptions): RequestWork<Facts>
}

interface RoutedOperation<Facts extends BodyFacts> extends OperationFacts {
  /** What it needs of a route: others are skipped. Absent: every route will do. */
  serves?(route: Route, inbound: Protocol): boolean
  /** Asks the upstream of one route. `next` asks the next one where this one cannot be reached; false: there is none. */
  ask(call: OperationCall<Facts>, route: Route, next: () => boolean): void
  /** Answers without an upstream, for the best route, where no route serves it. Absent: that is an error. */
  answerAlone?(call: OperationCall<Facts>, route: Route): void
}

/** A call whose body was read. */
export interface OperationCall<Facts extends BodyFacts = BodyFacts> {
  readonly settings: Settings
  readonly exchange: Exchange
  readonly match: Match
  readonly work: RequestWork<Facts>
  readonly body: Facts
  /** Ends the call with whatever was thrown. */
  readonly fail: (thrown: unknown) => void
}
