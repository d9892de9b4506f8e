import type { Protocol, RoutingPreferences } from '@dragoman/core'
import type { Health } from '../health/health.ts'
import type { Candidate, Candidates } from './candidates.ts'
import type { Survey } from '../bodies/survey.ts'

/** Everything that the order depends on. */
export interface OrderFacts {
  readonly candidates: Candidates
  readonly preferences: Pick<RoutingPreferences, 'type' | 'factor' | 'fallback' | 'complexity'>
  readonly inbound: Protocol
  readonly stream: boolean
  readonly survey: Survey | undefined
  /** The route that served the conversation last. */
  readonly remembered: string | undefined
  readonly health: Pick<Health, 'check' | 'measured'>
  /** The caller for whom the faults of routes are counted. */
  readonly caller: string
  /** The route whose turn it is. */
  readonly turnOf: (pool: string, routes: readonly Candidate[]) => string
}

/** One reason to prefer a route: lower scores come first. */
export interface Criterion {
  readonly scores: readonly number[]
  /** The reason for a route with this score. */
  readonly reason: (score: number, route: Candidate) => string | undefined
}
