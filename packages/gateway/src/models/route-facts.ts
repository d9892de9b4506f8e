import type { AnswerTranslatorOptions, Match, Peek } from '@dragoman/core'
import { dialectOf, type Redact, type Clock } from '@dragoman/core/provider'
import type { Route } from './route.ts'

type Target = Pick<Route, 'card' | 'protocol'>

/** The upstream's name of the model. */
export function upstreamName({ card }: Pick<Route, 'card'>): string {
  return card.upstream ?? card.name
}

/** The name of the model in the answer: the one that the caller asked for; of a model in the path, the routed id. */
export function answerModel({ id }: Pick<Route, 'id'>, match: Match, peek: Peek): string {
  return match.model === undefined ? peek.model : id
}

/** Removes the secrets of a route's provider from a text of its upstream. */
export function redactOf({ provider }: Pick<Route, 'provider'>): Redact {
  return (text) => provider.redact?.(text) ?? text
}

/** The options for translating between a caller and a route. */
export function answerOptions(
  { card, protocol }: Target,
  { ids, clock }: { readonly ids: () => string; readonly clock: Pick<Clock, 'now'> },
): AnswerTranslatorOptions {
  return {
    issuer: card.issuer ?? protocol.issuer,
    dialect: dialectOf(card, protocol.name),
    id: ids,
    now: Math.floor(clock.now() / 1000),
  }
}
