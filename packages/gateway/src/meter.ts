import { ownerIdOf } from './admit.ts'
import type { DragomanError, Head, Loss, Peek, PriceTerms, Usage } from '@dragoman/core'
import type { Billed, Cost } from '@dragoman/core/provider'
import { beginAttempt, endAttempt, type RunningAttempt } from './attempt.ts'
import { fillUsage } from './bodies/estimate.ts'
import { chargeOf, chargeOfBill, partOf, withEarlier } from './charge.ts'
import type { Health } from './health/health.ts'
import { lossCodes } from './loss-codes.ts'
import type { Plan } from './plan.ts'
import type { Attempt, Caller, Clock, Ledger, Log, LogEntry, Outcome, UsageRecord } from './ports.ts'
import type { Report } from './report.ts'
import type { Route } from './route.ts'
import { digestOf, identityOf } from './routing/conversation.ts'
import type { Survey } from './routing/survey.ts'

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
  /** Set when the call is over, if an upstream was called and someone wants it. */
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

export interface MeterOptions {
  readonly clock: Clock
  readonly log: Log | undefined
  readonly ledger: Ledger | undefined
  readonly requestId: string
  readonly head: Head
  readonly protocol: string
  readonly health: Health
  /** Whether a record is made without a ledger. */
  readonly wantsRecords: boolean
  readonly report: Report
  /** Receives every attempt when it is over. */
  readonly onAttempt: ((attempt: Attempt) => void) | undefined
}

export function createMeter(options: MeterOptions): Meter {
  const { clock, log, ledger, requestId, head, protocol, health, onAttempt, report, wantsRecords } = options
  const startedAt = clock.now()
  let operation: MeteredOperation | undefined
  let caller: Caller | undefined
  let conversation: string | undefined
  let losses: readonly Loss[] = []
  let attempt: RunningAttempt | undefined
  let onBooks = false
  let firstByteMs: number | undefined
  let leftMs: number | undefined
  let settled = false
  /** The price of the last attempt, and those of attempts before. */
  let own: Cost | undefined
  let earlier: readonly Cost[] = NO_COSTS
  /** Another attempt begins: what the last one has cost is an item of its own. */
  const endOwn = (): void => {
    if (own !== undefined && own.total > 0) earlier = [...earlier, own]
    own = undefined
    meter.usage = undefined
    meter.cost = withEarlier(undefined, earlier)
  }
  const closeAttempt = (outcome: Outcome, error: DragomanError | undefined): void => {
    if (attempt === undefined) return
    const closed = endAttempt(attempt, clock.now(), outcome, error, meter.usage, report)
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
    maxTokens: undefined,
    bill: undefined,
    share: undefined,
    asked: NOTHING_ASKED,
    needsPrice: false,
    peek: undefined,
    opening: undefined,
    current: undefined,
    isBilled: false,
    record: undefined,
    attempts: NO_ATTEMPTS,
    matched(asked) {
      operation = asked
      meter.isBilled = asked.metered === 'usage'
    },
    admitted(who) {
      caller = who
    },
    planned(route, plan, stream, lost) {
      meter.current = { route, plan, stream }
      losses = lost
    },
    lost(more) {
      if (more.length > 0) losses = [...losses, ...more]
    },
    called(url) {
      onBooks = operation?.metered !== 'nothing'
      const { current } = meter
      if (own !== undefined) endOwn()
      if (current === undefined) return undefined
      return (attempt = beginAttempt(current, url, clock.now(), health, meter.isBilled, ownerIdOf(caller)))
    },
    attemptFailed: (error) => closeAttempt('failed', error),
    firstByte() {
      firstByteMs ??= clock.now() - startedAt
    },
    conversation() {
      return (conversation ??= digestOf(caller?.id, identityOf(head, meter.peek ?? NO_PEEK, meter.opening)))
    },
    used(counts, uncounted, terms) {
      const { current, bill, needsPrice, promptTokens, asked } = meter
      if (!meter.isBilled || current === undefined) return
      const { card } = current.route
      if (counts === undefined && uncounted !== undefined && bill !== undefined) {
        const part = partOf(bill, meter.share?.() ?? 1)
        const { input, output } = part
        meter.usage = {
          ...(input === undefined ? {} : { input }),
          ...(output === undefined ? {} : { output }),
          ...ESTIMATED,
        }
        own = chargeOfBill(card, { ...part, ...ESTIMATED }, needsPrice)
      } else {
        const usage = uncounted === undefined ? counts : fillUsage(counts, promptTokens, uncounted)
        meter.usage = usage
        own = usage && chargeOf(card, { ...usage, ...asked.terms, ...terms }, needsPrice)
      }
      meter.cost = withEarlier(own, earlier)
    },
    left() {
      leftMs ??= clock.now() - startedAt
    },
    settle(status, outcome, error) {
      if (settled) return
      settled = true
      closeAttempt(outcome, error)
      const ms = leftMs ?? clock.now() - startedAt
      const { usage, cost } = meter
      const shared = { requestId, protocol, outcome, status, usage, cost, firstByteMs, ms }
      if (onBooks && (ledger !== undefined || wantsRecords)) {
        meter.record = recordOf(meter, operation, caller, losses, shared)
        if (meter.record !== undefined) ledger?.onUsage(meter.record)
      }
      log?.write(entryOf(meter, head, caller, shared, losses, error))
    },
  }
  return meter
}

const NO_ATTEMPTS: readonly Attempt[] = []
const NO_COSTS: readonly Cost[] = []
const NOTHING_ASKED: AskedFacts = {}
const ESTIMATED = { estimated: true } as const
const NO_PEEK: Pick<Peek, 'conversation'> = {}

function entryOf(
  { current, attempts }: Meter,
  { method, path }: Head,
  caller: Caller | undefined,
  shared: SharedFacts,
  losses: readonly Loss[],
  error: DragomanError | undefined,
): LogEntry {
  const known = current && routeFacts(current)
  return { ...shared, method, path, caller: caller?.id, ...known, attempts, losses, error }
}

function routeFacts({ route, plan }: Planned): Pick<LogEntry, 'provider' | 'model' | 'mode' | 'because'> {
  const because = plan.mode === 'translate' ? plan.because : undefined
  return { provider: route.provider.name, model: route.id, mode: plan.mode, because }
}

/** A route that is about to be called, and how. */
export interface Planned {
  readonly route: Route
  readonly plan: Plan
  readonly stream: boolean
}

type SharedFacts = Pick<
  UsageRecord,
  'requestId' | 'protocol' | 'outcome' | 'status' | 'usage' | 'cost' | 'firstByteMs' | 'ms'
>

function recordOf(
  meter: Meter,
  operation: MeteredOperation | undefined,
  caller: Caller | undefined,
  losses: readonly Loss[],
  shared: SharedFacts,
): UsageRecord | undefined {
  const { current, startedAt, peek, attempts } = meter
  if (current === undefined || caller === undefined || operation === undefined) return undefined
  const { route, plan, stream } = current
  return {
    ...shared,
    startedAt,
    operation: operation.name,
    caller: caller.id,
    owner: caller.owner,
    conversation: meter.conversation(),
    asked: peek?.model ?? '',
    provider: route.provider.name,
    model: route.id,
    mode: plan.mode,
    stream,
    attempts: attempts.length,
    losses: lossCodes(losses),
  }
}
