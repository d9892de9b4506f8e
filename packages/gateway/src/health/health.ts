import type { Clock } from '@dragoman/core/provider'
import type { Breaker, BreakerOptions, Verdict } from './breaker.ts'
import { createRecent, type Recent } from './recent.ts'
import { CLOSED, createRouteBreaker, nameOf, stricter, type RouteBreaker } from './route-breaker.ts'
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
  /** A route is open if its provider or its model is, for all callers or for this one. Changes nothing. */
  check(route: RouteName, caller?: string): Verdict
  /** A call is sent now. Streams and whole answers are measured apart: the first byte of a whole answer comes at its end. */
  begin(route: RouteName, kind?: AnswerKind, caller?: string): Watch
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
  /** For all callers; if only one has called for some minutes, for that one. */
  readonly state: 'open' | 'half-open' | 'closed'
  /** The callers for which it is not closed, although it may be for all. */
  readonly callers: number
}

export interface HealthOptions extends Omit<BreakerOptions, 'leastCallers'> {
  /** The number of models that are remembered at most, and of providers. */
  readonly mostRoutes: number
  /** The number of breakers of single callers that are remembered at most. */
  readonly mostCallers: number
}

interface Route extends RouteName {
  readonly breaker: RouteBreaker
  readonly windows: { readonly [Kind in AnswerKind]: Window }
}

const DEFAULTS: HealthOptions = {
  leastFaults: 5,
  faultShare: 0.5,
  pauseMs: 15_000,
  longestPauseMs: 120_000,
  trialMs: 60_000,
  mostRoutes: 1000,
  mostCallers: 4000,
}

/** The rate of a shorter answer depends on buffers more than on the model. */
const LEAST_STREAM_MS = 100

const UNMEASURED: Measured = { calls: 0, faults: 0 }

export function createHealth(clock: Pick<Clock, 'now'>, options: Partial<HealthOptions> = {}): Health {
  const settings = { ...DEFAULTS, ...options }
  const own = createRecent<Breaker>(settings.mostCallers)
  const providers = createRecent<{ readonly breaker: RouteBreaker }>(settings.mostRoutes)
  const routes = createRecent<Route>(settings.mostRoutes)
  return {
    check({ provider, model }, caller = '') {
      const now = clock.now()
      const wide = providers.peek(provider)?.breaker.verdict(caller, now) ?? CLOSED
      return stricter(wide, routes.peek(model)?.breaker.verdict(caller, now) ?? CLOSED)
    },
    begin({ provider, model }, kind = 'stream', caller = '') {
      const { breaker } =
        providers.get(provider) ?? providers.set(provider, { breaker: createRouteBreaker(settings, own, provider) })
      const route =
        routes.get(model) ??
        routes.set(model, {
          provider,
          model,
          breaker: createRouteBreaker(settings, own, model),
          windows: { stream: createWindow(), whole: createWindow() },
        })
      return createWatch(clock, breaker, route.breaker, route.windows[kind], caller)
    },
    measured: ({ model }, kind = 'stream') => routes.peek(model)?.windows[kind].measured(clock.now()) ?? UNMEASURED,
    breakers() {
      const now = clock.now()
      const states: BreakerState[] = []
      const callers = countCallers(own, now)
      const callersOf = (name: string): number => callers.get(name) ?? 0
      providers.each(({ breaker }, provider) =>
        states.push({ provider, state: breaker.state(now), callers: callersOf(provider) }),
      )
      routes.each(({ provider, model, breaker }) =>
        states.push({ provider, model, state: breaker.state(now), callers: callersOf(model) }),
      )
      return states
    },
  }
}

/** For each provider and model, the number of callers whose own breaker is not closed. */
function countCallers(own: Recent<Breaker>, now: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  own.each((breaker, key) => {
    const name = nameOf(key)
    if (breaker.state(now) !== 'closed') counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  return counts
}

function createWatch(
  clock: Pick<Clock, 'now'>,
  provider: RouteBreaker,
  model: RouteBreaker,
  window: Window,
  caller: string,
): Watch {
  const startedAt = clock.now()
  const providerPeriods = provider.begin(caller, startedAt)
  const modelPeriods = model.begin(caller, startedAt)
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
      provider.success(providerPeriods, caller, now)
      model.success(modelPeriods, caller, now)
      if (firstByteAt === undefined) window.success(now)
      else window.success(now, firstByteAt - startedAt, tokensPerSecond(outputTokens, now - firstByteAt))
    },
    fault(kind) {
      if (over) return
      over = true
      const now = clock.now()
      window.fault(now)
      if (kind === 'transport') {
        provider.fault(providerPeriods, caller, now)
        model.neutral(modelPeriods, caller)
      } else {
        provider.success(providerPeriods, caller, now)
        model.fault(modelPeriods, caller, now)
      }
    },
    neutral() {
      if (over) return
      over = true
      provider.neutral(providerPeriods, caller)
      model.neutral(modelPeriods, caller)
    },
  }
}

function tokensPerSecond(tokens: number | undefined, ms: number): number | undefined {
  return tokens === undefined || ms < LEAST_STREAM_MS ? undefined : (tokens * 1000) / ms
}
