import type { Protocol, RoutingWishes } from '@dragoman/core'
import { costOf, type Cost } from '@dragoman/core/provider'
import type { AnswerKind, Health } from '../health/health.ts'
import type { Measured } from '../health/window.ts'
import type { Candidate, Candidates } from './candidates.ts'
import { conditionAgainst } from './conditions.ts'
import { groupsOf } from './groups.ts'
import type { Survey } from './survey.ts'

/** The routes of a call, best first, and those that it must not take. Each says why. */
export interface Choice {
  readonly routes: readonly Ranked[]
  readonly skipped: readonly Ranked[]
}

export interface Ranked {
  readonly route: Candidate
  readonly reasons: readonly string[]
}

/** Everything that the order depends on. */
export interface OrderFacts {
  readonly candidates: Candidates
  readonly wishes: Pick<RoutingWishes, 'type' | 'factor' | 'fallback' | 'complexity'>
  readonly inbound: Protocol
  readonly stream: boolean
  readonly survey: Survey | undefined
  /** The route that served the conversation last. */
  readonly remembered: string | undefined
  readonly health: Pick<Health, 'check' | 'measured'>
  /** The route whose turn it is. */
  readonly turnOf: (pool: string, routes: readonly Candidate[]) => string
}

/** The least quality of a model for a task; a card without a quality counts as one of medium quality. */
export const LEAST_QUALITY = { low: 0, medium: 60, high: 80 } as const
const UNKNOWN_QUALITY = 50
/** The tokens of an answer, for comparing prices. A caller's lower limit counts instead. */
const TYPICAL_ANSWER = 1000
const TYPICAL_PROMPT = 1000

/** One reason to prefer a route: lower scores come first. */
interface Criterion {
  readonly scores: readonly number[]
  /** Said of a route with this score. */
  readonly reason: (score: number, route: Candidate) => string | undefined
}

/** Orders the routes of a call. Depends on nothing but its facts. */
export function orderRoutes(facts: OrderFacts): Choice {
  const { candidates, wishes } = facts
  const skipped: Ranked[] = []
  const fit = candidates.routes.filter((route) => {
    const reason = conditionAgainst(route, facts)
    if (reason !== undefined) skipped.push({ route, reasons: [reason] })
    return reason === undefined
  })
  const able = ableRoutes(fit, wishes.complexity, skipped)
  const criteria = [...generalCriteria(able, facts), ...chosenCriteria(able, facts)]
  const ranked = able
    .map((route, index) => ({ route, index, scores: criteria.map(({ scores }) => scores[index] ?? 0) }))
    .toSorted((one, other) => compare(one.scores, other.scores) || one.index - other.index)
  const turned = wishes.type === 'round_robin' ? takeTurns(ranked, facts) : ranked
  const routes = turned.map(({ route, scores }) => ({
    route,
    reasons: criteria.flatMap(({ reason }, index) => reason(scores[index] ?? 0, route) ?? []),
  }))
  return withoutFallback({ routes, skipped }, wishes.fallback)
}

/** Models that are good enough for the task. If none is, all are, and the best comes first. */
function ableRoutes(
  routes: readonly Candidate[],
  complexity: RoutingWishes['complexity'],
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

/** What comes before all wishes: that the route works, can read the conversation, and has its cache. */
function generalCriteria(routes: readonly Candidate[], facts: OrderFacts): readonly Criterion[] {
  const { health, survey, remembered } = facts
  const now = <Value>(value: (route: Candidate) => Value): readonly Value[] => routes.map(value)
  const tokens = survey?.promptTokens ?? 0
  return [
    {
      scores: now(({ provider, id }) => Number(isPaused(health.check({ provider: provider.name, model: id })))),
      reason: (score) => (score === 0 ? undefined : 'it has failed lately'),
    },
    {
      scores: now(({ isFallback }) => Number(isFallback)),
      reason: (score) => (score === 0 ? undefined : 'it is for the case that the others fail'),
    },
    { scores: now(({ isVariant }) => Number(isVariant)), reason: () => undefined },
    {
      scores: now(({ provider }) => Number(provider.keyState?.().awake === 0)),
      reason: (score) => (score === 0 ? undefined : 'all its keys are limited or refused'),
    },
    {
      scores: now(({ card }) => Number(card.context !== undefined && tokens > card.context)),
      reason: (score, { card }) =>
        score === 0 ? undefined : `the prompt may be larger than its context of ${card.context}`,
    },
    {
      scores: now(({ card, protocol }) =>
        Number(survey?.sealedBy !== undefined && (card.issuer ?? protocol.issuer) !== survey.sealedBy),
      ),
      reason: (score) => (score === 0 ? undefined : 'it cannot read the signatures of the running tool loop'),
    },
    {
      scores: now(({ id }) => Number(remembered !== undefined && id !== remembered)),
      reason: (score) => (remembered === undefined || score > 0 ? undefined : 'it has served this conversation'),
    },
    {
      scores: now(({ isPreferred }) => Number(!isPreferred)),
      reason: (score) => (score > 0 ? undefined : 'its model is preferred'),
    },
  ]
}

/** A route whose pause is over is tried like any other: that is its trial. */
function isPaused(verdict: ReturnType<Health['check']>): boolean {
  return verdict.state === 'open' && !verdict.trial
}

/** The order that the call, the alias or the key asks for. */
function chosenCriteria(routes: readonly Candidate[], facts: OrderFacts): readonly Criterion[] {
  const { type, factor = impliedFactor(facts.wishes.complexity) } = facts.wishes
  const listed: Criterion = {
    scores: routes.map(({ position }) => position),
    reason: () => undefined,
  }
  const byFactor = factor === undefined ? [] : [factorCriterion(routes, factor, facts)]
  const relayed: Criterion = {
    scores: routes.map(({ protocol, card }) => Number(!mayRelay(protocol, card, facts.inbound))),
    reason: (score) => (score === 0 ? 'it speaks the protocol of the caller' : undefined),
  }
  switch (type) {
    case 'round_robin':
      return byFactor
    case 'least_latency':
      return [latencyCriterion(routes, facts), ...byFactor, relayed, listed]
    case 'priority':
      return [listed, ...byFactor, relayed]
    case undefined:
      return factor === undefined ? [listed, relayed] : [...byFactor, relayed, listed]
    default:
      return type satisfies never
  }
}

/** A simple task asks for a cheap model, a difficult one for a good one. */
function impliedFactor(complexity: RoutingWishes['complexity']): RoutingWishes['factor'] {
  if (complexity === 'low') return 'cost'
  return complexity === 'high' ? 'quality' : undefined
}

function factorCriterion(
  routes: readonly Candidate[],
  factor: NonNullable<RoutingWishes['factor']>,
  facts: OrderFacts,
): Criterion {
  switch (factor) {
    case 'cost': {
      const prices = routes.map((route) => priceOf(route, facts.survey))
      return {
        scores: groupsOf(prices, 'low', 'last'),
        reason: (_score, route) => `about ${dollars(prices[routes.indexOf(route)])} for this call`,
      }
    }
    case 'speed': {
      const speeds = routes.map((route) => measured(route, facts, 'stream').tokensPerSecond)
      return {
        scores: groupsOf(speeds, 'high', 'first'),
        reason: (_score, route) => said(speeds[routes.indexOf(route)], 'tokens a second'),
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

function latencyCriterion(routes: readonly Candidate[], facts: OrderFacts): Criterion {
  const latencies = routes.map((route) => measured(route, facts, facts.stream ? 'stream' : 'whole').latencyMs)
  return {
    scores: groupsOf(latencies, 'low', 'first'),
    reason: (_score, route) => said(latencies[routes.indexOf(route)], 'ms to the first byte'),
  }
}

function said(value: number | undefined, unit: string): string {
  return value === undefined ? 'not measured yet' : `${Math.round(value)} ${unit}`
}

function dollars(nanos: number | undefined): string {
  return nanos === undefined ? 'an unknown price' : `$${(nanos / 1e9).toFixed(6)}`
}

function measured({ provider, id }: Candidate, { health }: OrderFacts, kind: AnswerKind): Measured {
  return health.measured({ provider: provider.name, model: id }, kind)
}

/** The estimated price of a call in nano-dollars. */
export function priceOf(route: Pick<Candidate, 'card'>, survey: Survey | undefined): number | undefined {
  const cost = estimatedCost(route, survey)
  return cost === undefined || cost.unpriced !== undefined ? undefined : cost.total
}

/** The same item by item. Undefined if the card has no prices. */
export function estimatedCost(
  { card }: Pick<Candidate, 'card'>,
  survey: Pick<Survey, 'promptTokens' | 'maxTokens'> | undefined,
): Cost | undefined {
  const input = survey?.promptTokens ?? TYPICAL_PROMPT
  const output = Math.min(survey?.maxTokens ?? TYPICAL_ANSWER, TYPICAL_ANSWER)
  return costOf(card, { input, output, estimated: true })
}

function qualityOf({ card }: Candidate): number {
  return card.quality ?? UNKNOWN_QUALITY
}

function mayRelay(protocol: Protocol, card: Candidate['card'], inbound: Protocol): boolean {
  return protocol === inbound && card.dialects?.[inbound.name] === undefined
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
function withoutFallback({ routes, skipped }: Choice, fallback: RoutingWishes['fallback']): Choice {
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
