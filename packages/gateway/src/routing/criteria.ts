import type { Protocol, RoutingPreferences } from '@dragoman/core'
import type { Health } from '../health/health.ts'
import type { Candidate } from './candidates.ts'
import { factorCriterion, latencyCriterion } from './factors.ts'
import type { Criterion, OrderFacts } from './order-facts.ts'

/** What comes before all preferences: that the route works, can read the conversation, and has its cache. */
export function generalCriteria(routes: readonly Candidate[], facts: OrderFacts): readonly Criterion[] {
  const { health, survey, remembered, caller } = facts
  const now = <Value>(value: (route: Candidate) => Value): readonly Value[] => routes.map(value)
  const tokens = survey?.promptTokens ?? 0
  return [
    {
      scores: now(({ provider, id }) => Number(isPaused(health.check({ provider: provider.name, model: id }, caller)))),
      reason: (score) => (score === 0 ? undefined : 'it has failed lately'),
    },
    {
      scores: now(({ isFallback }) => Number(isFallback)),
      reason: (score) => (score === 0 ? undefined : 'it is used only if the others fail'),
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
export function chosenCriteria(routes: readonly Candidate[], facts: OrderFacts): readonly Criterion[] {
  const { type, factor = impliedFactor(facts.preferences.complexity) } = facts.preferences
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
function impliedFactor(complexity: RoutingPreferences['complexity']): RoutingPreferences['factor'] {
  if (complexity === 'low') return 'cost'
  return complexity === 'high' ? 'quality' : undefined
}

function mayRelay(protocol: Protocol, card: Candidate['card'], inbound: Protocol): boolean {
  return protocol === inbound && card.dialects?.[inbound.name] === undefined
}
