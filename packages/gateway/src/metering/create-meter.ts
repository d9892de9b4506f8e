import { ownerIdOf } from '../callers/admit.ts'
import type { DragomanError, Head, Loss, Peek, PriceTerms, Usage } from '@dragoman/core'
import type { Cost } from '@dragoman/core/provider'
import { beginAttempt, endAttempt, type RunningAttempt } from './attempt.ts'
import { priceUsage, withEarlier } from './charge.ts'
import { lossCodes } from '../ports/loss-codes.ts'
import type { AskedFacts, Meter, MeteredOperation, MeterOptions, Planned } from './meter.ts'
import type { Attempt, Caller, LogEntry, Outcome, UsageRecord } from '../ports/ports.ts'
import { digestOf, identityOf } from './conversation.ts'

type OwnMeter = { -readonly [Member in keyof Meter]: Meter[Member] }

/** What only the meter itself reads. */
interface State {
  operation: MeteredOperation | undefined
  caller: Caller | undefined
  conversation: string | undefined
  losses: readonly Loss[]
  attempt: RunningAttempt | undefined
  onBooks: boolean
  firstByteMs: number | undefined
  leftMs: number | undefined
  settled: boolean
  /** The price of the last attempt, and those of attempts before. */
  own: Cost | undefined
  earlier: readonly Cost[]
}

export function createMeter(options: MeterOptions): Meter {
  const { clock, requestId, head, health } = options
  const startedAt = clock.now()
  const state = createState()
  const meter: OwnMeter = {
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
      state.operation = asked
      meter.isBilled = asked.metered === 'usage'
    },
    admitted(who) {
      state.caller = who
    },
    planned(route, plan, stream, lost) {
      meter.current = { route, plan, stream }
      state.losses = lost
    },
    lost(more) {
      if (more.length > 0) state.losses = [...state.losses, ...more]
    },
    called(url) {
      const { current, isBilled } = meter
      state.onBooks = state.operation?.metered !== 'nothing'
      if (state.own !== undefined) endOwn(meter, state)
      if (current === undefined) return undefined
      return (state.attempt = beginAttempt(current, url, clock.now(), health, isBilled, ownerIdOf(state.caller)))
    },
    attemptFailed: (error) => closeAttempt(options, meter, state, 'failed', error),
    firstByte() {
      state.firstByteMs ??= clock.now() - startedAt
    },
    conversation() {
      const { peek = NO_PEEK, opening } = meter
      return (state.conversation ??= digestOf(state.caller?.id, identityOf(head, peek, opening)))
    },
    used: (counts, uncounted, terms) => use(meter, state, counts, uncounted, terms),
    left() {
      state.leftMs ??= clock.now() - startedAt
    },
    settle: (status, outcome, error) => settle(options, meter, state, status, outcome, error),
  }
  return meter
}

function createState(): State {
  return {
    operation: undefined,
    caller: undefined,
    conversation: undefined,
    losses: NO_LOSSES,
    attempt: undefined,
    onBooks: false,
    firstByteMs: undefined,
    leftMs: undefined,
    settled: false,
    own: undefined,
    earlier: NO_COSTS,
  }
}

const NO_LOSSES: readonly Loss[] = []
const NO_ATTEMPTS: readonly Attempt[] = []
const NO_COSTS: readonly Cost[] = []
const NOTHING_ASKED: AskedFacts = {}
const NO_PEEK: Pick<Peek, 'conversation'> = {}

function use(
  meter: OwnMeter,
  state: State,
  counts: Usage | undefined,
  uncounted: number | undefined,
  terms: PriceTerms | undefined,
): void {
  const priced = priceUsage(meter, counts, uncounted, terms)
  if (priced === undefined) return
  meter.usage = priced.usage
  state.own = priced.cost
  meter.cost = withEarlier(priced.cost, state.earlier)
}

/** Another attempt begins: what the last one has cost is an item of its own. */
function endOwn(meter: OwnMeter, state: State): void {
  const { own } = state
  if (own !== undefined && own.total > 0) state.earlier = [...state.earlier, own]
  state.own = undefined
  meter.usage = undefined
  meter.cost = withEarlier(undefined, state.earlier)
}

function closeAttempt(
  { clock, onAttempt, report }: MeterOptions,
  meter: OwnMeter,
  state: State,
  outcome: Outcome,
  error: DragomanError | undefined,
): void {
  const { attempt } = state
  if (attempt === undefined) return
  const closed = endAttempt(attempt, clock.now(), outcome, error, meter.usage, report)
  state.attempt = undefined
  meter.attempts = meter.attempts.length === 0 ? [closed] : [...meter.attempts, closed]
  onAttempt?.(closed)
}

function settle(
  options: MeterOptions,
  meter: OwnMeter,
  state: State,
  status: number,
  outcome: Outcome,
  error: DragomanError | undefined,
): void {
  if (state.settled) return
  state.settled = true
  closeAttempt(options, meter, state, outcome, error)
  const { clock, log, ledger, wantsRecords, requestId, protocol, head } = options
  const ms = state.leftMs ?? clock.now() - meter.startedAt
  const { usage, cost } = meter
  const { operation, caller, losses, firstByteMs } = state
  const shared = { requestId, protocol, outcome, status, usage, cost, firstByteMs, ms }
  if (state.onBooks && (ledger !== undefined || wantsRecords)) {
    meter.record = recordOf(meter, operation, caller, losses, shared)
    if (meter.record !== undefined) ledger?.onUsage(meter.record)
  }
  log?.write(entryOf(meter, head, caller, shared, losses, error))
}

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
