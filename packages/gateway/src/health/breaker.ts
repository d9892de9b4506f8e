import { createRing } from './ring.ts'

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
  fault(period: number, now: number): void
  /** The call showed nothing. */
  neutral(period: number): void
}

const SPAN_MS = 1000
const SPANS = 30

const CLOSED: Verdict = { state: 'closed' }

export function createBreaker({ leastFaults, faultShare, pauseMs, longestPauseMs, trialMs }: BreakerOptions): Breaker {
  let ring = createCounts()
  /** A new one begins whenever the breaker opens, closes or begins another pause. */
  let present = 0
  /** The length of the pause; undefined while the breaker is closed. */
  let pause: number | undefined
  let until = 0
  let trials = 0
  let latestTrialAt = 0

  const beginPeriod = (ms: number | undefined, now: number): void => {
    present++
    trials = 0
    pause = ms
    until = ms === undefined ? 0 : now + ms
    ring = createCounts()
  }
  const failTrial = (ms: number, now: number): void => {
    trials--
    // Without another route, calls are tried during the pause as well: they do not make it longer.
    if (now >= until) beginPeriod(Math.min(ms * 2, longestPauseMs), now)
  }
  const isTooMany = (now: number): boolean => {
    let calls = 0
    let faults = 0
    ring.each(now, (bucket) => {
      calls += bucket.calls
      faults += bucket.faults
    })
    return faults >= leastFaults && faults >= calls * faultShare
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
    fault(period, now) {
      if (period !== present) return
      if (pause !== undefined) return failTrial(pause, now)
      const bucket = ring.at(now)
      bucket.calls++
      bucket.faults++
      if (isTooMany(now)) beginPeriod(pauseMs, now)
    },
    neutral(period) {
      if (period === present && pause !== undefined) trials--
    },
  }
}

function createCounts() {
  return createRing({
    spanMs: SPAN_MS,
    spans: SPANS,
    create: () => ({ calls: 0, faults: 0 }),
    clear(bucket) {
      bucket.calls = 0
      bucket.faults = 0
    },
  })
}
