import type { Clock } from '../ports.ts'
import { createBreaker, type Breaker, type BreakerOptions, type Verdict } from './breaker.ts'
import { createRecent } from './recent.ts'
import { createWindow, type Measured, type Window } from './window.ts'

export interface RouteName {
  readonly provider: string
  /** The routed id: `<provider>/<name>`. */
  readonly model: string
}

/** What shows that an upstream cannot be reached counts for its provider; a fault that it answers with, for the model. */
export type FaultKind = 'transport' | 'answer'

/** Stream if absent. */
export type AnswerKind = 'stream' | 'whole'

/** Knows which routes work, and how fast they are. */
export interface Health {
  /** A route is open if its provider or its model is. Changes nothing. */
  check(route: RouteName): Verdict
  /** A call is sent now. Streams and whole answers are measured apart: the first byte of a whole answer comes at its end. */
  begin(route: RouteName, kind?: AnswerKind): Watch
  measured(route: RouteName, kind?: AnswerKind): Measured
  /** The providers and models that were called last. */
  breakers(): readonly BreakerState[]
}

/** One call to an upstream. The first call of `succeeded`, `fault` or `neutral` counts, and the others do nothing. */
export interface Watch {
  firstByte(): void
  /** Pass the tokens for streams only: their rate is measured from the first byte to now. */
  succeeded(outputTokens?: number): void
  fault(kind: FaultKind): void
  /** The call says nothing about the upstream: it was cancelled, or the request was refused. A trial ends without a verdict. */
  neutral(): void
}

export interface BreakerState {
  readonly provider: string
  /** Absent for the provider itself. */
  readonly model?: string
  readonly state: 'open' | 'half-open' | 'closed'
}

export interface HealthOptions extends BreakerOptions {
  /** The number of models that are remembered at most, and of providers. */
  readonly mostRoutes: number
}

interface Route extends RouteName {
  readonly breaker: Breaker
  readonly windows: { readonly [Kind in AnswerKind]: Window }
}

const DEFAULTS: HealthOptions = {
  leastFaults: 5,
  faultShare: 0.5,
  pauseMs: 15_000,
  longestPauseMs: 120_000,
  trialMs: 60_000,
  mostRoutes: 1000,
}

/** The rate of a shorter answer depends on buffers more than on the model. */
const LEAST_STREAM_MS = 100

const CLOSED: Verdict = { state: 'closed' }
const UNMEASURED: Measured = { calls: 0, faults: 0 }

export function createHealth(clock: Pick<Clock, 'now'>, options: Partial<HealthOptions> = {}): Health {
  const settings = { ...DEFAULTS, ...options }
  const providers = createRecent<{ readonly breaker: Breaker }>(settings.mostRoutes)
  const routes = createRecent<Route>(settings.mostRoutes)
  return {
    check({ provider, model }) {
      const now = clock.now()
      const wide = providers.peek(provider)?.breaker.verdict(now) ?? CLOSED
      return stricter(wide, routes.peek(model)?.breaker.verdict(now) ?? CLOSED)
    },
    begin({ provider, model }, kind = 'stream') {
      const { breaker } = providers.get(provider) ?? providers.set(provider, { breaker: createBreaker(settings) })
      const route =
        routes.get(model) ??
        routes.set(model, {
          provider,
          model,
          breaker: createBreaker(settings),
          windows: { stream: createWindow(), whole: createWindow() },
        })
      return createWatch(clock, breaker, route.breaker, route.windows[kind])
    },
    measured: ({ model }, kind = 'stream') => routes.peek(model)?.windows[kind].measured(clock.now()) ?? UNMEASURED,
    breakers() {
      const now = clock.now()
      const states: BreakerState[] = []
      providers.each(({ breaker }, provider) => states.push({ provider, state: breaker.state(now) }))
      routes.each(({ provider, model, breaker }) => states.push({ provider, model, state: breaker.state(now) }))
      return states
    },
  }
}

/** Both must allow a trial. */
function stricter(left: Verdict, right: Verdict): Verdict {
  if (left.state === 'closed') return right
  if (right.state === 'closed') return left
  return {
    state: 'open',
    until: Math.max(left.until, right.until),
    trial: left.trial && right.trial,
    running: left.running || right.running,
  }
}

function createWatch(clock: Pick<Clock, 'now'>, provider: Breaker, model: Breaker, window: Window): Watch {
  const startedAt = clock.now()
  const providerPeriod = provider.begin(startedAt)
  const modelPeriod = model.begin(startedAt)
  let firstByteAt: number | undefined
  let over = false
  return {
    firstByte() {
      firstByteAt ??= clock.now()
    },
    succeeded(outputTokens) {
      if (over) return
      over = true
      const now = clock.now()
      provider.success(providerPeriod, now)
      model.success(modelPeriod, now)
      if (firstByteAt === undefined) window.success(now)
      else window.success(now, firstByteAt - startedAt, tokensPerSecond(outputTokens, now - firstByteAt))
    },
    fault(kind) {
      if (over) return
      over = true
      const now = clock.now()
      window.fault(now)
      if (kind === 'transport') {
        provider.fault(providerPeriod, now)
        model.neutral(modelPeriod)
      } else {
        provider.success(providerPeriod, now)
        model.fault(modelPeriod, now)
      }
    },
    neutral() {
      if (over) return
      over = true
      provider.neutral(providerPeriod)
      model.neutral(modelPeriod)
    },
  }
}

function tokensPerSecond(tokens: number | undefined, ms: number): number | undefined {
  return tokens === undefined || ms < LEAST_STREAM_MS ? undefined : (tokens * 1000) / ms
}
