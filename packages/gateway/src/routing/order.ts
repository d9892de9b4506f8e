import type { RoutingPreferences } from '@dragoman/core'
import type { Candidate } from './candidates.ts'
import { conditionAgainst } from './conditions.ts'
import { chosenCriteria, generalCriteria } from './criteria.ts'
import type { OrderFacts } from './order-facts.ts'
import { LEAST_QUALITY, qualityOf } from './quality.ts'

/** The routes of a call, best first, and those that it must not take, each with its reasons. */
export interface Choice {
  readonly routes: readonly Ranked[]
  readonly skipped: readonly Ranked[]
}

export interface Ranked {
  readonly route: Candidate
  readonly reasons: readonly string[]
}

/** Orders the routes of a call. Depends on nothing but its facts. */
export function orderRoutes(facts: OrderFacts): Choice {
  const { candidates, preferences } = facts
  const skipped: Ranked[] = []
  const fit = candidates.routes.filter((route) => {
    const reason = conditionAgainst(route, facts)
    if (reason !== undefined) skipped.push({ route, reasons: [reason] })
    return reason === undefined
  })
  const able = ableRoutes(fit, preferences.complexity, skipped)
  const criteria = [...generalCriteria(able, facts), ...chosenCriteria(able, facts)]
  const ranked = able
    .map((route, index) => ({ route, index, scores: criteria.map(({ scores }) => scores[index] ?? 0) }))
    .toSorted((one, other) => compare(one.scores, other.scores) || one.index - other.index)
  const turned = preferences.type === 'round_robin' ? takeTurns(ranked, facts) : ranked
  const routes = turned.map(({ route, scores }) => ({
    route,
    reasons: criteria.flatMap(({ reason }, index) => reason(scores[index] ?? 0, route) ?? []),
  }))
  return withoutFallback({ routes, skipped }, preferences.fallback)
}

/** Keeps the models that are good enough for the task. If no model is, all are kept, and the best comes first. */
function ableRoutes(
  routes: readonly Candidate[],
  complexity: RoutingPreferences['complexity'],
  skipped: Ranked[],
): readonly Candidate[] {
  if (complexity === undefined) return routes
  const least = LEAST_QUALITY[complexity]
  const able = routes.filter((route) => qualityOf(route) >= least)
  if (able.length === 0) return routes.toSorted((one, other) => qualityOf(other) - qualityOf(one))
  for (const route of routes)
    if (!able.includes(route))
      skipped.push({
        route,
        reasons: [`a quality of ${qualityOf(route)} is below ${least}, for ${complexity} complexity`],
      })
  return able
}

interface Scored {
  readonly route: Candidate
  readonly scores: readonly number[]
}

/** Of the routes that are as good as the first, the one whose turn it is comes first. A route that is remembered or preferred has no equal. */
function takeTurns<Each extends Scored>(ranked: readonly Each[], { candidates, turnOf }: OrderFacts): readonly Each[] {
  const [best] = ranked
  if (best === undefined) return ranked
  const equal = ranked.filter(({ scores }) => compare(scores, best.scores) === 0)
  if (equal.length < 2) return ranked
  const id = turnOf(
    candidates.pool,
    equal.map(({ route }) => route),
  )
  const chosen = equal.find(({ route }) => route.id === id)
  return chosen === undefined ? ranked : [chosen, ...ranked.filter((each) => each !== chosen)]
}

/** Without a fallback, only the provider of the first route may answer. */
function withoutFallback({ routes, skipped }: Choice, fallback: RoutingPreferences['fallback']): Choice {
  const [first] = routes
  if (fallback !== false || first === undefined) return { routes, skipped }
  const isOfFirst = ({ route }: Ranked): boolean => route.provider === first.route.provider
  const others = routes.filter((each) => !isOfFirst(each))
  return {
    routes: routes.filter(isOfFirst),
    skipped: [...skipped, ...others.map(({ route }) => ({ route, reasons: ['the call wants no fallback'] }))],
  }
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, score] of one.entries()) {
    const difference = score - (other[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
