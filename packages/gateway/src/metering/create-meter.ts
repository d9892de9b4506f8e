import { ownerIdOf } from '../callers/admit.ts'
import type { DragomanError, Loss, Peek, PriceTerms, Usage } from '@dragoman/core'
import type { Cost } from '@dragoman/core/provider'
import { beginAttempt, endAttempt, type RunningAttempt } from './attempt.ts'
import { priceUsage, withEarlier } from './charge.ts'
import { lossCodes } from '../ports/loss-codes.ts'
import type { AskedFacts, Meter, MeteredCall, MeteredOperation, MeterPorts } from './meter.ts'
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

export function createMeter(ports: MeterPorts, call: MeteredCall): Meter {
  const { clock } = ports
  const { requestId, startedAt } = call
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
      return (state.attempt = beginAttempt(current, url, clock.now(), ports.health, isBilled, ownerIdOf(state.caller)))
    },
    attemptFailed: (error) => closeAttempt(ports, call, meter, state, clock.now(), 'failed', error),
    firstByte() {
      state.firstByteMs ??= clock.now() - startedAt
    },
    conversation() {
      const { peek = NO_PEEK, opening } = meter
      return (state.conversation ??= digestOf(state.caller?.id, identityOf(call.head, peek, opening)))
    },
    used: (counts, uncounted, terms) => use(meter, state, counts, uncounted, terms),
    left() {
      state.leftMs ??= clock.now() - startedAt
    },
    settle: (status, outcome, error) => settle(ports, call, meter, state, status, outcome, error),
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
  { report }: MeterPorts,
  { onAttempt }: MeteredCall,
  meter: OwnMeter,
  state: State,
  now: number,
  outcome: Outcome,
  error: DragomanError | undefined,
): void {
  const { attempt } = state
  if (attempt === undefined) return
  const closed = endAttempt(attempt, now, outcome, error, meter.usage, report)
  state.attempt = undefined
  meter.attempts = meter.attempts.length === 0 ? [closed] : [...meter.attempts, closed]
  onAttempt?.(closed)
}

function settle(
  ports: MeterPorts,
  call: MeteredCall,
  meter: OwnMeter,
  state: State,
  status: number,
  outcome: Outcome,
  error: DragomanError | undefined,
): void {
  if (state.settled) return
  state.settled = true
  const { log, ledger, wantsRecords, clock } = ports
  const now = clock.now()
  closeAttempt(ports, call, meter, state, now, outcome, error)
  const ms = state.leftMs ?? now - meter.startedAt
  if (state.onBooks && (ledger !== undefined || wantsRecords)) {
    meter.record = recordOf(call, meter, state, ms, status, outcome)
    if (meter.record !== undefined) ledger?.onUsage(meter.record)
  }
  log?.write(entryOf(call, meter, state, ms, status, outcome, error))
}

// Every call has one of each: they are written member by member, because copying objects into others costs several times as much.

function entryOf(
  { requestId, protocol, head }: MeteredCall,
  { current, attempts, usage, cost }: Meter,
  { caller, losses, firstByteMs }: State,
  ms: number,
  status: number,
  outcome: Outcome,
  error: DragomanError | undefined,
): LogEntry {
  const plan = current?.plan
  return {
    requestId,
    method: head.method,
    path: head.path,
    protocol,
    status,
    outcome,
    ms,
    firstByteMs,
    caller: caller?.id,
    provider: current?.route.provider.name,
    model: current?.route.id,
    mode: plan?.mode,
    because: plan?.mode === 'translate' ? plan.because : undefined,
    attempts,
    losses,
    usage,
    cost,
    error,
  }
}

function recordOf(
  { requestId, protocol }: MeteredCall,
  meter: Meter,
  { operation, caller, losses, firstByteMs }: State,
  ms: number,
  status: number,
  outcome: Outcome,
): UsageRecord | undefined {
  const { current, startedAt, peek, attempts, usage, cost } = meter
  if (current === undefined || caller === undefined || operation === undefined) return undefined
  const { route, plan, stream } = current
  return {
    requestId,
    operation: operation.name,
    caller: caller.id,
    owner: caller.owner,
    conversation: meter.conversation(),
    protocol,
    asked: peek?.model ?? '',
    provider: route.provider.name,
    model: route.id,
    mode: plan.mode,
    stream,
    outcome,
    status,
    attempts: attempts.length,
    losses: lossCodes(losses),
    usage,
    cost,
    startedAt,
    firstByteMs,
    ms,
  }
}
