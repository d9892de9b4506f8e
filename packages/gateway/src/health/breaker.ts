import { createRing, type Ring } from './ring.ts'

/** Whether calls may be sent. */
export type Verdict =
  | { readonly state: 'closed' }
  | {
      readonly state: 'open'
      /** The end of the pause, in Unix milliseconds; it can be in the past. */
      readonly until: number
      /** One call may be sent now as a trial: the pause is over and no trial is running. */
      readonly trial: boolean
      /** A trial is running: no other call may be sent, not even one without another route. */
      readonly running: boolean
    }

export interface BreakerOptions {
  /** The faults of the last 30 seconds that it takes to open the breaker. */
  readonly leastFaults: number
  /** The callers that must have seen such faults. */
  readonly leastCallers: 1 | 2
  /** The share of faults among the calls of the last 30 seconds that it takes as well. */
  readonly faultShare: number
  /** The first pause. */
  readonly pauseMs: number
  /** The pause doubles with each trial that fails, up to this. */
  readonly longestPauseMs: number
  /** The time after which the next trial does not wait for the one that is running. */
  readonly trialMs: number
}

/**
 * Keeps calls away from an upstream that fails. A call that began in an earlier period, such as before a pause, does not count when it
 * ends: what it shows is out of date.
 */
export interface Breaker {
  verdict(now: number): Verdict
  /** Half open is an open breaker after its pause. */
  state(now: number): 'closed' | 'open' | 'half-open'
  /** A call is sent: a trial, if the breaker is open. Returns the period, for its end. */
  begin(now: number): number
  success(period: number, now: number): void
  fault(period: number, now: number, caller: string): void
  /** The call showed nothing about the upstream. */
  neutral(period: number): void
  /** Whether a fault of a call that began in this period counts towards opening it. */
  isCounting(period: number): boolean
  /** The calls that it has counted, for another breaker. */
  counts(): Ring<Bucket>
}

interface Bucket {
  calls: number
  faults: number
  /** The first caller with a fault. */
  caller: string | undefined
  hasOthers: boolean
}

const SPAN_MS = 1000
const SPANS = 30

const CLOSED: Verdict = { state: 'closed' }

/** `counted`: the calls that have ended before. */
export function createBreaker(options: BreakerOptions, counted: Ring<Bucket> = createCounts()): Breaker {
  const { leastFaults, leastCallers, faultShare, pauseMs, longestPauseMs, trialMs } = options
  let ring = counted
  /** A new one begins whenever the breaker opens, closes or begins another pause. */
  let present = 0
  /** The length of the pause; undefined while the breaker is closed. */
  let pause: number | undefined
  let until = 0
  let trials = 0
  let latestTrialAt = 0
  /** The caller whose trial has begun the present pause. */
  let failedBy: string | undefined

  const beginPeriod = (ms: number | undefined, now: number): void => {
    present++
    trials = 0
    pause = ms
    until = ms === undefined ? 0 : now + ms
    ring = createCounts()
  }
  const failTrial = (ms: number, now: number, caller: string): void => {
    trials--
    // Without another route, calls are tried during the pause as well: they do not make it longer. Nor does the same caller twice in
    // succession, if the pause is for others too.
    if (now < until || (leastCallers > 1 && failedBy === caller)) return
    beginPeriod(Math.min(ms * 2, longestPauseMs), now)
    failedBy = caller
  }
  const isTooMany = (now: number): boolean => {
    let calls = 0
    let faults = 0
    let first: string | undefined
    let callers = 0
    ring.each(now, (bucket) => {
      calls += bucket.calls
      faults += bucket.faults
      if (bucket.caller === undefined) return
      if (callers === 0) first = bucket.caller
      callers = bucket.hasOthers || bucket.caller !== first ? 2 : Math.max(callers, 1)
    })
    return faults >= leastFaults && faults >= calls * faultShare && callers >= leastCallers
  }

  return {
    verdict(now) {
      if (pause === undefined) return CLOSED
      const running = trials > 0 && now - latestTrialAt < trialMs
      return { state: 'open', until, trial: !running && now >= until, running }
    },
    state(now) {
      if (pause === undefined) return 'closed'
      return now < until ? 'open' : 'half-open'
    },
    begin(now) {
      if (pause !== undefined) {
        trials++
        latestTrialAt = now
      }
      return present
    },
    success(period, now) {
      if (period !== present) return
      if (pause === undefined) ring.at(now).calls++
      else beginPeriod(undefined, now)
    },
    fault(period, now, caller) {
      if (period !== present) return
      if (pause !== undefined) return failTrial(pause, now, caller)
      const bucket = ring.at(now)
      bucket.calls++
      bucket.faults++
      bucket.caller ??= caller
      bucket.hasOthers ||= bucket.caller !== caller
      if (!isTooMany(now)) return
      beginPeriod(pauseMs, now)
      failedBy = undefined
    },
    neutral(period) {
      if (period === present && pause !== undefined) trials--
    },
    isCounting: (period) => pause === undefined && period === present,
    counts: () => ring.copy(),
  }
}

function createCounts(): Ring<Bucket> {
  return createRing({
    spanMs: SPAN_MS,
    spans: SPANS,
    create: (): Bucket => ({ calls: 0, faults: 0, caller: undefined, hasOthers: false }),
    clear(bucket) {
      bucket.calls = 0
      bucket.faults = 0
      bucket.caller = undefined
      bucket.hasOthers = false
    },
  })
}
