import type { Offer } from '../models/model-index.ts'
import type { Member } from './candidates.ts'
import { NO_POLICY, type AliasOptions, type RoutePolicy } from '../ports/policy.ts'

/** The routes of an alias. */
export interface Pool {
  readonly members: readonly Member[]
  readonly policy: RoutePolicy
}

export function createPool(target: string | AliasOptions, find: (model: string) => Offer): Pool {
  if (typeof target === 'string')
    return { members: [{ offer: find(target), position: 0, weight: 1 }], policy: NO_POLICY }
  const { routes, ...policy } = target
  const members = routes.map((each, position): Member => {
    const { model, weight = 1, when, card = {} } = typeof each === 'string' ? { model: each } : each
    const offer = find(model)
    return { offer: { ...offer, card: { ...offer.card, ...card } }, position, weight, when }
  })
  const isWeighted = routes.some((each) => typeof each === 'object' && each.weight !== undefined)
  return { members, policy: { type: isWeighted ? 'round_robin' : 'priority', ...policy } }
}
