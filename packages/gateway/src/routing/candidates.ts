import type { Protocol, RoutingPreferences } from '@dragoman/core'
import type { Offer } from '../models/model-index.ts'
import type { Route } from '../models/route.ts'
import type { Conditions, RoutePolicy } from '../ports/policy.ts'

/** The routes that may serve a call, before they are ordered. */
export interface Candidates {
  /** Names the set of routes, for taking turns. */
  readonly pool: string
  readonly routes: readonly Candidate[]
  readonly policy: RoutePolicy
}

export interface Candidate extends Route {
  /** Where it stands in the list of providers or routes. Equal numbers are equal. */
  readonly position: number
  readonly weight: number
  readonly when?: Conditions | undefined
  /** The same model at the same provider in a further protocol, which the caller does not speak. */
  readonly isVariant: boolean
  readonly isPreferred: boolean
  /** It answers only if the others fail. */
  readonly isFallback: boolean
}

/** One model at one provider, as a member of a pool. */
export interface Member {
  readonly offer: Offer
  readonly position: number
  readonly weight: number
  readonly when?: Conditions | undefined
  readonly isPreferred?: boolean
  readonly isFallback?: boolean
}

/** Whether the upstream of a route has turned out not to have its endpoint. */
export type IsAbsent = (route: Route) => boolean

/** One route for each protocol of a member, the caller's own first, and endpoints that do not exist last. */
export function routesOf(
  { offer, position, weight, when, isPreferred = false, isFallback = false }: Member,
  inbound: Protocol,
  isAbsent: IsAbsent | undefined,
): Candidate[] {
  const { id, from, card, protocols } = offer
  const own = protocols.filter((protocol) => protocol === inbound)
  const others = protocols.filter((protocol) => protocol !== inbound)
  const routes = [...own, ...others].map((protocol, index) => ({
    id,
    provider: from,
    card,
    protocol,
    position,
    weight,
    when,
    isVariant: index > 0,
    isPreferred,
    isFallback,
  }))
  return isAbsent === undefined ? routes : absentLast(routes, isAbsent)
}

/** Routes that are absent stay: if all others fail, they are the last chance. */
function absentLast(routes: Candidate[], isAbsent: IsAbsent): Candidate[] {
  const absent = routes.filter(isAbsent)
  if (absent.length === 0 || absent.length === routes.length) return routes
  const present = routes.filter((route) => !absent.includes(route))
  return [...present, ...absent].map((route, index) => {
    const before = absent.filter((other) => routes.indexOf(other) < routes.indexOf(route))
    const isInstead = !absent.includes(route) && before.length > 0
    return {
      ...route,
      isVariant: index > 0,
      ...(isInstead ? { instead: before.map(({ protocol }) => protocol.name) } : {}),
    }
  })
}

/** Whether the preferences open more routes than that of the named provider. */
export function spreads({ providers, type, factor, fallback }: RoutingPreferences): boolean {
  return providers !== undefined || type !== undefined || factor !== undefined || (fallback ?? false) !== false
}

/**
 * The members that the preferences allow: with a list of providers, in its order. A provider that is named as the fallback comes last, whether it
 * is listed or not.
 */
export function allowedMembers(
  members: readonly Member[],
  { providers, fallback }: RoutingPreferences,
): readonly Member[] {
  const isFallback = ({ offer }: Member): boolean => offer.provider === fallback
  const listed =
    providers === undefined
      ? members
      : [...new Set(providers)].flatMap((name, position) =>
          members.filter(({ offer }) => offer.provider === name).map((member) => ({ ...member, position })),
        )
  const last = members.filter(isFallback).map((member) => ({ ...member, isFallback: true }))
  return last.length === 0 ? listed : [...listed.filter((member) => !isFallback(member)), ...last]
}
