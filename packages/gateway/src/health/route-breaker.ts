import { createBreaker, type Breaker, type BreakerOptions, type Verdict } from './breaker.ts'
import type { Recent } from './recent.ts'

/**
 * The breaker of a provider or a model: one for all callers, which opens by faults of two of them, and one for each caller with faults. A
 * caller can make an upstream fail by what it sends, and that says nothing about the calls of others.
 */
export interface RouteBreaker {
  verdict(caller: string, now: number): Verdict
  /** For all callers; if only one calls, for that one. */
  state(now: number): 'closed' | 'open' | 'half-open'
  /** A call is sent. Returns the periods of both breakers. */
  begin(caller: string, now: number): Periods
  success(periods: Periods, caller: string, now: number): void
  fault(periods: Periods, caller: string, now: number): void
  neutral(periods: Periods, caller: string): void
}

/** The periods in which a call began: of the breaker for all, and of its caller's own. */
export interface Periods {
  readonly shared: number
  readonly own: number
}

/** Most calls have these: nothing has failed yet. */
const FIRST: Periods = { shared: 0, own: 0 }

/** Without calls of others for this long, the state is that of the only caller. Longer than any pause. */
const ALONE_MS = 5 * 60_000
/** The calls that a breaker remembers. */
const REMEMBERED_MS = 30_000

/** `own` has the breakers of single callers, of all routes. A caller without faults has none. */
export function createRouteBreaker(
  options: Omit<BreakerOptions, 'leastCallers'>,
  own: Recent<Breaker>,
  name: string,
): RouteBreaker {
  const ownOptions: BreakerOptions = { ...options, leastCallers: 1 }
  const shared = createBreaker({ ...options, leastCallers: 2 })
  let latest: string | undefined
  let changedAt = Number.NEGATIVE_INFINITY

  const keyOf = (caller: string): string => name + SEPARATOR + caller
  const ownOf = (caller: string): Breaker | undefined => (own.isEmpty() ? undefined : own.peek(keyOf(caller)))
  const note = (caller: string, now: number): void => {
    if (caller === latest) return
    if (latest !== undefined) changedAt = now
    latest = caller
  }
  const isAlone = (now: number, ms: number): boolean => now - changedAt >= ms
  /** Without other callers, its calls are all that were counted. */
  const createOwn = (caller: string, now: number): Breaker => {
    const counted = isAlone(now, REMEMBERED_MS) ? shared.counts() : undefined
    return own.set(keyOf(caller), createBreaker(ownOptions, counted))
  }
  return {
    verdict: (caller, now) => stricter(shared.verdict(now), ownOf(caller)?.verdict(now) ?? CLOSED),
    state(now) {
      const state = shared.state(now)
      if (state !== 'closed' || latest === undefined || !isAlone(now, ALONE_MS)) return state
      return ownOf(latest)?.state(now) ?? state
    },
    begin(caller, now) {
      note(caller, now)
      const period = shared.begin(now)
      const ownPeriod = ownOf(caller)?.begin(now) ?? 0
      return period === 0 && ownPeriod === 0 ? FIRST : { shared: period, own: ownPeriod }
    },
    success(periods, caller, now) {
      ownOf(caller)?.success(periods.own, now)
      shared.success(periods.shared, now)
    },
    fault(periods, caller, now) {
      const mine = own.get(keyOf(caller)) ?? createOwn(caller, now)
      // Further faults of a caller for which the route is already paused show nothing about the calls of others.
      if (mine.isCounting(periods.own)) shared.fault(periods.shared, now, caller)
      else shared.neutral(periods.shared)
      mine.fault(periods.own, now, caller)
    },
    neutral(periods, caller) {
      ownOf(caller)?.neutral(periods.own)
      shared.neutral(periods.shared)
    },
  }
}

/** A character that no name of a provider or model has. */
const SEPARATOR = '\n'

/** The provider or model of a caller's own breaker. */
export function nameOf(key: string): string {
  return key.slice(0, key.indexOf(SEPARATOR))
}

export const CLOSED: Verdict = { state: 'closed' }

/** Both must allow a trial. */
export function stricter(left: Verdict, right: Verdict): Verdict {
  if (left.state === 'closed') return right
  if (right.state === 'closed') return left
  return {
    state: 'open',
    until: Math.max(left.until, right.until),
    trial: left.trial && right.trial,
    running: left.running || right.running,
  }
}
