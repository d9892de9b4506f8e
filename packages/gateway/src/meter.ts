import type { DragomanError, Loss, Usage } from '@dragoman/core'
import { costOf, type Cost } from '@dragoman/core/provider'
import { beginAttempt, endAttempt, type RunningAttempt } from './attempt.ts'
import { fillUsage } from './bodies/estimate.ts'
import type { Health } from './health/health.ts'
import type { Plan } from './plan.ts'
import type { Attempt, Caller, Clock, Ledger, Log, LogEntry, Outcome, UsageRecord } from './ports.ts'
import type { Route } from './route.ts'

/** Collects the facts about one call and writes its log entry and usage record once. */
export interface Meter {
  readonly requestId: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** The usage so far. */
  readonly usage: Usage | undefined
  /** The price of that usage; undefined if the card has no prices. */
  readonly cost: Cost | undefined
  /** An estimate of the tokens of the request, for upstreams that do not report them. */
  promptTokens: number | undefined
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
  /**
   * The usage that the upstream has reported. `uncounted` is an estimate of the tokens of output that it does not include; with it, missing
   * counts are estimated and marked.
   */
  used(usage: Usage | undefined, uncounted?: number): void
  /** Only the first call has an effect. */
  settle(status: number, outcome: Outcome, error?: DragomanError): void
}

/** The operation, as far as the meter needs it. */
export interface MeteredOperation {
  /** The name that protocols use in `Match.operation`. */
  readonly name: string
  /** What the ledger receives: a record with usage, a record without usage, or nothing. */
  readonly metered: 'usage' | 'calls' | 'nothing'
}

export interface MeterOptions {
  readonly clock: Clock
  readonly log: Log | undefined
  readonly ledger: Ledger | undefined
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly protocol: string
  readonly health: Health
  /** Receives every attempt when it is over. */
  readonly onAttempt: ((attempt: Attempt) => void) | undefined
}

export function createMeter(options: MeterOptions): Meter {
  const { clock, log, ledger, requestId, method, path, protocol, health, onAttempt } = options
  const startedAt = clock.now()
  let operation: MeteredOperation | undefined
  let caller: string | undefined
  let planned: Planned | undefined
  let losses: readonly Loss[] = []
  let attempt: RunningAttempt | undefined
  let onBooks = false
  let firstByteMs: number | undefined
  let settled = false
  const closeAttempt = (outcome: Outcome, error: DragomanError | undefined): void => {
    if (attempt === undefined) return
    const closed = endAttempt(attempt, clock.now(), outcome, error, meter.usage)
    attempt = undefined
    meter.attempts = meter.attempts.length === 0 ? [closed] : [...meter.attempts, closed]
    onAttempt?.(closed)
  }
  const meter: { -readonly [Member in keyof Meter]: Meter[Member] } = {
    requestId,
    startedAt,
    usage: undefined,
    cost: undefined,
    promptTokens: undefined,
    attempts: NO_ATTEMPTS,
    matched(asked) {
      operation = asked
    },
    admitted(who) {
      caller = who.id
    },
    planned(route, plan, stream, lost) {
      planned = { route, plan, stream }
      losses = lost
    },
    lost(more) {
      if (more.length > 0) losses = [...losses, ...more]
    },
    called(url) {
      onBooks = operation?.metered !== 'nothing'
      if (planned === undefined) return undefined
      return (attempt = beginAttempt(
        planned.route,
        url,
        planned.stream,
        clock.now(),
        health,
        operation?.metered === 'usage',
      ))
    },
    attemptFailed: (error) => closeAttempt('failed', error),
    firstByte() {
      firstByteMs ??= clock.now() - startedAt
    },
    used(counts, uncounted) {
      if (operation?.metered !== 'usage') return
      const usage = uncounted === undefined ? counts : fillUsage(counts, meter.promptTokens, uncounted)
      meter.usage = usage
      meter.cost = usage === undefined || planned === undefined ? undefined : costOf(planned.route.card, usage)
    },
    settle(status, outcome, error) {
      if (settled) return
      settled = true
      closeAttempt(outcome, error)
      const ms = clock.now() - startedAt
      const { usage, cost } = meter
      const known = planned === undefined ? undefined : routeFacts(planned)
      const shared = { requestId, protocol, outcome, usage, cost, firstByteMs, ms }
      log?.write({ ...shared, method, path, status, caller, ...known, attempts: meter.attempts, losses, error })
      if (ledger === undefined || !onBooks) return
      if (caller === undefined || planned === undefined || operation === undefined) return
      ledger.onUsage(recordOf(operation.name, planned, { ...shared, caller, startedAt }))
    },
  }
  return meter
}

const NO_ATTEMPTS: readonly Attempt[] = []

function routeFacts({ route, plan }: Planned): Pick<LogEntry, 'provider' | 'model' | 'mode' | 'because'> {
  const because = plan.mode === 'translate' ? plan.because : undefined
  return { provider: route.provider.name, model: route.id, mode: plan.mode, because }
}

interface Planned {
  readonly route: Route
  readonly plan: Plan
  readonly stream: boolean
}

function recordOf(
  operation: string,
  { route, plan, stream }: Planned,
  facts: Omit<UsageRecord, 'operation' | 'provider' | 'model' | 'mode' | 'stream'>,
): UsageRecord {
  return {
    ...facts,
    operation,
    provider: route.provider.name,
    model: route.id,
    mode: plan.mode,
    stream,
  }
}
