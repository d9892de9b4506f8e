import type { AnswerTranslatorOptions } from '@dragoman/core'
import { dialectOf } from '@dragoman/core/provider'
import type { Clock } from './ports.ts'
import type { Route } from './resolve.ts'

type Target = Pick<Route, 'id' | 'card' | 'protocol'>

/** The upstream's name of the model. */
export function upstreamName({ card }: Pick<Route, 'card'>): string {
  return card.upstream ?? card.name
}

/** The options for translating the answers of a route. */
export function answerOptions(
  { id, card, protocol }: Target,
  { ids, clock }: { readonly ids: () => string; readonly clock: Pick<Clock, 'now'> },
): AnswerTranslatorOptions {
  return {
    answerModel: id,
    issuer: card.issuer ?? protocol.issuer,
    dialect: dialectOf(card, protocol.name),
    id: ids,
    now: Math.floor(clock.now() / 1000),
  }
}
