import type { RoutingPreferences } from '@dragoman/core'
import type { AnswerKind } from '../health/health.ts'
import type { Measured } from '../health/window.ts'
import { dollars } from '../metering/dollars.ts'
import type { Candidate } from './candidates.ts'
import type { Criterion, OrderFacts } from './order-facts.ts'
import { priceOf } from './estimate.ts'
import { groupsOf } from './groups.ts'
import { qualityOf } from './quality.ts'

/** The factor that the caller wants most of. */
export function factorCriterion(
  routes: readonly Candidate[],
  factor: NonNullable<RoutingPreferences['factor']>,
  facts: OrderFacts,
): Criterion {
  switch (factor) {
    case 'cost': {
      const prices = routes.map((route) => priceOf(route, facts.survey))
      return {
        scores: groupsOf(prices, 'low', 'last'),
        reason: (_score, route) => formatPrice(prices[routes.indexOf(route)]),
      }
    }
    case 'speed': {
      const speeds = routes.map((route) => measured(route, facts, 'stream').tokensPerSecond)
      return {
        scores: groupsOf(speeds, 'high', 'first'),
        reason: (_score, route) => formatMeasured(speeds[routes.indexOf(route)], 'tokens a second'),
      }
    }
    case 'quality':
      return {
        scores: groupsOf(routes.map(qualityOf), 'high', 'last'),
        reason: (_score, route) => `a quality of ${qualityOf(route)}`,
      }
    default:
      return factor satisfies never
  }
}

export function latencyCriterion(routes: readonly Candidate[], facts: OrderFacts): Criterion {
  const latencies = routes.map((route) => measured(route, facts, facts.stream ? 'stream' : 'whole').latencyMs)
  return {
    scores: groupsOf(latencies, 'low', 'first'),
    reason: (_score, route) => formatMeasured(latencies[routes.indexOf(route)], 'ms to the first byte'),
  }
}

function formatPrice(nanos: number | undefined): string {
  return nanos === undefined ? 'its price is not known' : `about $${dollars(nanos)} for this call`
}

function formatMeasured(value: number | undefined, unit: string): string {
  return value === undefined ? 'not measured yet' : `${Math.round(value)} ${unit}`
}

function measured({ provider, id }: Candidate, { health }: OrderFacts, kind: AnswerKind): Measured {
  return health.measured({ provider: provider.name, model: id }, kind)
}
