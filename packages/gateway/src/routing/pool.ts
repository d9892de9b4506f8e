import type { RoutingWishes } from '@dragoman/core'
import type { Offer } from '../model-index.ts'
import type { Member } from './candidates.ts'
import { NO_POLICY, type AliasOptions, type RoutePolicy } from './policy.ts'

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

/** The routes of an alias at some providers, in the order of the providers. */
export function ofProviders(members: readonly Member[], { providers }: RoutingWishes): readonly Member[] {
  if (providers === undefined) return members
  return [...new Set(providers)].flatMap((name, position) =>
    members.filter(({ offer }) => offer.provider === name).map((member) => ({ ...member, position })),
  )
}

/** A member with what its pool says about it. */
export function inPool(member: Member, { members }: Pool): Member {
  const known = members.find(({ offer }) => offer.id === member.offer.id)
  return known === undefined ? member : { ...known, position: member.position }
}
