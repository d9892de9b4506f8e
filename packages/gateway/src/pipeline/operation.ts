import type { AnswerTranslatorOptions, Match, Protocol } from '@dragoman/core'
import type { Billed } from '@dragoman/core/provider'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import type { BodyFacts, Prepared, RequestWork, SentBody, WorkOptions } from '../bodies/request-work.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Matched } from '../ports/match.ts'
import type { MeteredOperation } from '../metering/meter.ts'
import type { Sending } from '../modes/send.ts'
import type { Route } from '../models/route.ts'
import type { Failed } from '../health/failed.ts'
import type { Next } from '../routing/next.ts'
import type { Settings } from '../call/settings.ts'

/** What a call can ask for: one row of the table of operations. */
export type Operation = HeadOperation | BodyOperation

/** The facts that every operation states. */
interface OperationFacts extends MeteredOperation {
  /** The protocol member that it uses. A protocol without this codec answers with its own 404. */
  readonly codec: string
  /** Whether a call needs a key; `if private` leaves it to the setting `modelLists`, and honours a key that is sent. */
  readonly needsKey: boolean | 'if private'
}

/** An operation without a request body. */
export interface HeadOperation extends OperationFacts {
  readonly body: 'none'
  run(settings: Settings, exchange: Exchange, matched: Matched): void
}

/** An operation with a request body. */
export type BodyOperation = RoutedOperation | LocalOperation

/** An operation with a JSON body that has no routes to choose from. */
export interface LocalOperation<Facts extends BodyFacts = BodyFacts> extends OperationFacts {
  readonly body: 'json'
  createWork(inbound: Protocol, match: Match, sent: SentBody, options: WorkOptions): RequestWork<Facts>
  answer(call: OperationCall<Facts>): void
}

/**
 * An operation that calls the upstream of a route. Its call takes these steps: read the body, choose a route, prepare the request for it, send
 * it, and handle the answer. `Asked` is what the handling of the answer needs to know about the request, `Read` what is known of a body
 * before `resolve`.
 */
export interface RoutedOperation<
  Facts extends BodyFacts = BodyFacts,
  Asked = unknown,
  Read extends BodyFacts = Facts,
> extends OperationFacts {
  /** A body that can be a form is one if its content type says so. */
  readonly body: 'json' | 'multipart' | 'json or multipart'
  /** Creates the work that reads a body and prepares requests. Runs in any thread, so results are plain data. */
  createWork(inbound: Protocol, match: Match, sent: SentBody, options: WorkOptions): RequestWork<Read, Asked>
  /** Opens what a body only refers to, such as a sealed name. Absent: the body has all facts. */
  resolve?(call: OperationCall<Read, Asked>): Promise<Facts>
  /** Whether a route can serve it. Other routes are skipped. Absent: every route can. */
  serves?(route: Route, inbound: Protocol, body: Facts): boolean
  /** What a prepared request is expected to be billed for. Absent: the tokens of a conversation. */
  bill?(route: Route, prepared: Prepared<Asked>, body: Facts): Billed | undefined
  /** How a prepared request is sent, and its answer handled. */
  send(call: OperationCall<Facts, Asked>, route: Route, prepared: Prepared<Asked>): Sending
  /** The work on whole answers. Runs in any thread. Absent: it is done where the call is. */
  readonly answers?: AnswerWork<Asked>
  /** Takes over after an attempt that has failed before the first byte. Returns false if the next route is to be tried. */
  recover?(call: OperationCall<Facts, Asked>, route: Route, failed: Failed, recovery: Recovery<Asked>): boolean
  /** Answers without an upstream if no route can serve it. Absent: this is an error. */
  answerAlone?(call: OperationCall<Facts, Asked>, route: Route): void
}

/** What an operation can do after an attempt that has failed. */
export interface Recovery<Asked> extends Pick<Next, 'policy'> {
  /** Sends another request to the same route, once. */
  readonly send: (prepared: Prepared<Asked>) => void
}

/** The work on whole answers of an operation. */
export interface AnswerWork<Asked> {
  /** The upstream's own bytes with the name of the model edited, after a check that they are an answer. */
  relay(caller: Protocol, model: string | undefined, asked: Asked, bytes: Uint8Array): Outgoing | ErrorInside
  /** One answer in the caller's protocol, from the answers to all upstream calls. */
  translate(
    caller: Protocol,
    upstream: Protocol,
    asked: Asked,
    options: AnswerTranslatorOptions,
    answers: readonly Uint8Array[],
  ): Outgoing | ErrorInside
}

/** A call whose body has been read. */
export interface OperationCall<Facts extends BodyFacts = BodyFacts, Asked = unknown> {
  readonly settings: Settings
  readonly exchange: Exchange
  readonly match: Match
  readonly work: RequestWork<Facts, Asked>
  readonly body: Facts
  /** Ends the call with an error. */
  readonly fail: (thrown: unknown) => void
}
