import type { DragomanError, Head, Loss, Peek, PriceTerms, Usage } from '@dragoman/core'
import type { Billed, Cost, Clock } from '@dragoman/core/provider'
import type { RunningAttempt } from './attempt.ts'
import type { Health } from '../health/health.ts'
import type { Plan } from '../models/plan.ts'
import type { Attempt, Caller, Ledger, Log, Outcome, UsageRecord } from '../ports/ports.ts'
import type { Report } from '../ports/report.ts'
import type { Route } from '../models/route.ts'
import type { Survey } from '../bodies/survey.ts'

/** Collects the facts about one call and writes its log entry and usage record once. */
export interface Meter {
  readonly requestId: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** The usage of the last attempt so far. */
  readonly usage: Usage | undefined
  /** The price of that usage, and of attempts before that upstreams have received; undefined if the card has no prices. */
  readonly cost: Cost | undefined
  /** An estimate of the tokens of the request, for upstreams that do not report them. */
  promptTokens: number | undefined
  /** The caller's own limit of the answer. */
  maxTokens: number | undefined
  /** What the upstream call is expected to be billed for; undefined for the tokens of a conversation. */
  bill: Billed | undefined
  /** The part of it that upstreams have received, for an answer of several calls; undefined: of all, or nothing. */
  share: (() => number) | undefined
  /** What the upstream call asks for that its price depends on. */
  asked: AskedFacts
  /** Whether it must have a price: what the card has none for is charged by its ceiling. */
  needsPrice: boolean
  /** What is known of the body; undefined until it is read. */
  peek: Peek | undefined
  /** How the conversation begins, if that is known. */
  opening: Pick<Survey, 'opening'> | undefined
  /** What was planned last. */
  readonly current: Planned | undefined
  /** Whether answers are billed by their usage. */
  readonly isBilled: boolean
  /** Set when the call is over, if an upstream was called and a ledger or a stage wants it. */
  readonly record: UsageRecord | undefined
  /** The calls to upstreams that are over. */
  readonly attempts: readonly Attempt[]
  matched(operation: MeteredOperation): void
  admitted(caller: Caller): void
  /** The plan and the losses of the request. Called again for every further attempt. */
  planned(route: Route, plan: Plan, stream: boolean, losses: readonly Loss[]): void
  /** Adds losses of the answer. */
  lost(losses: readonly Loss[]): void
  /** The upstream of the planned route is called: an attempt begins, and the ledger gets a record. */
  called(url: string): RunningAttempt | undefined
  /** The running attempt has failed. Another one may follow. */
  attemptFailed(error: DragomanError): void
  firstByte(): void
  /** What calls of this conversation have in common: 16 hexadecimal digits; empty if that is unknown. */
  conversation(): string
  /**
   * The usage that the upstream has reported. `uncounted` is an estimate of the tokens of output that it does not include; with it, missing
   * counts are estimated and marked. `terms` are what it has reported about the price.
   */
  used(usage: Usage | undefined, uncounted?: number, terms?: PriceTerms): void
  /** The caller has left: the time of the call ends here, although its usage is awaited. */
  left(): void
  /** Only the first call has an effect. */
  settle(status: number, outcome: Outcome, error?: DragomanError): void
}

/** What a call asks for beside tokens. */
export type AskedFacts = Pick<Peek, 'terms' | 'searches'>

/** The operation, as far as the meter needs it. */
export interface MeteredOperation {
  /** The name that protocols use in `Match.operation`. */
  readonly name: string
  /** What the ledger receives: a record with usage, a record without usage, or nothing. */
  readonly metered: 'usage' | 'calls' | 'nothing'
}

/** What the meters of all calls use. */
export interface MeterPorts {
  readonly clock: Clock
  readonly log: Log | undefined
  readonly ledger: Ledger | undefined
  readonly health: Health
  /** Whether a record is made without a ledger. */
  readonly wantsRecords: boolean
  readonly report: Report
}

/** What the meter knows of its call from the start. */
export interface MeteredCall {
  readonly requestId: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly head: Head
  readonly protocol: string
  /** Receives every attempt when it is over. */
  readonly onAttempt: ((attempt: Attempt) => void) | undefined
}

/** A route that is about to be called, and how. */
export interface Planned {
  readonly route: Route
  readonly plan: Plan
  readonly stream: boolean
}
