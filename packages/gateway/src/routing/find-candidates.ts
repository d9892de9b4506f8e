import type { Protocol, RoutingPreferences } from '@dragoman/core'
import { isAllowed, isRestricted, notAllowed } from '../callers/admit.ts'
import { ambiguous, unoffered } from '../models/model-errors.ts'
import type { ModelIndex, Offer } from '../models/model-index.ts'
import type { Caller } from '../ports/ports.ts'
import type { ModelName } from '../models/route.ts'
import { allowedMembers, routesOf, spreads, type Candidates, type IsAbsent, type Member } from './candidates.ts'
import { NO_POLICY } from '../ports/policy.ts'
import type { Pool } from './pool.ts'

/** How models and aliases are found by their names. */
interface Lookup {
  readonly index: ModelIndex
  readonly poolOf: (name: ModelName) => Pool | undefined
  /** Throws if there are none. */
  readonly findAll: (name: ModelName, caller?: Caller) => readonly Offer[]
}

/** Keeps the positions of two models apart. */
const MOST_MEMBERS = 10_000_000

/**
 * Finds the routes of calls that ask for a model and nothing else: most calls. They are the same for every caller without restrictions, so
 * they are kept for each model. Undefined if the name is an alias, or that of several models.
 */
export function createPlainCandidates({
  poolOf,
  findAll,
}: Lookup): (name: ModelName, inbound: Protocol, caller: Caller | undefined) => Candidates | undefined {
  const kept = new WeakMap<Offer, Map<Protocol, Candidates>>()
  return (name, inbound, caller) => {
    if (poolOf(name) !== undefined) return undefined
    const [offer, other] = findAll(name, caller)
    if (offer === undefined || other !== undefined) return undefined
    const byProtocol = kept.get(offer) ?? new Map<Protocol, Candidates>()
    kept.set(offer, byProtocol)
    const known = byProtocol.get(inbound)
    if (known !== undefined) return known
    const routes = routesOf({ offer, position: 0, weight: 1 }, inbound, undefined)
    const candidates: Candidates = { pool: offer.id, routes, policy: NO_POLICY }
    byProtocol.set(inbound, candidates)
    return candidates
  }
}

/** The routes that may serve a call. Throws if there are none, or if the caller may use none of them. */
export function findCandidates(
  lookup: Lookup,
  name: ModelName,
  preferences: RoutingPreferences,
  inbound: Protocol,
  caller: Caller | undefined,
  isAbsent: IsAbsent | undefined,
): Candidates {
  const { models, preference, providers } = preferences
  const names =
    (models === undefined ? undefined : [...new Set(models)])?.map((model) => ({ model })) ??
    (preference === undefined ? [name] : [{ model: preference }, name])
  const members = names.flatMap((each, index) =>
    membersFor(lookup, each, preferences, caller).map((member) => ({
      ...member,
      // Without a list of providers, the list of models is the order.
      position: providers === undefined ? index * MOST_MEMBERS + member.position : member.position,
      isPreferred: each.model === preference,
    })),
  )
  const allowed = !isRestricted(caller) ? members : members.filter(({ offer }) => isAllowed(caller, offer.id))
  if (allowed.length === 0) throw notAllowed(members[0]?.offer.id ?? name.model)
  return {
    pool: names.map(({ model }) => model).join(' '),
    routes: allowed.flatMap((member) => routesOf(member, inbound, isAbsent)),
    policy: (models === undefined ? lookup.poolOf(name)?.policy : undefined) ?? NO_POLICY,
  }
}

/** The offers of one model or alias that the preferences allow. An alias with several routes has no others. */
function membersFor(
  { index, poolOf, findAll }: Lookup,
  name: ModelName,
  preferences: RoutingPreferences,
  caller: Caller | undefined,
): readonly Member[] {
  const { members: routes = [] } = poolOf(name) ?? {}
  const named = routes.length > 0 ? routes.map(({ offer }) => offer) : findAll(name, caller)
  const [own] = named
  if (own === undefined) return []
  if (routes.length === 0 && named.length > 1 && preferences.providers === undefined) throw ambiguous(name.model, named)
  const peers = routes.length > 1 ? named : spreads(preferences) ? index.peers(own) : [own]
  const members = routes.length > 1 ? routes : peers.map((offer) => routeTo(offer, own, routes[0]))
  const allowed = allowedMembers(members, preferences)
  if (allowed.length === 0) throw unoffered(own, peers)
  return allowed
}

/** The named provider before the others. What an alias says about its route holds for that route alone. */
function routeTo(offer: Offer, own: Offer, aliased: Member | undefined): Member {
  const isOwn = offer.provider === own.provider
  return isOwn && aliased !== undefined ? aliased : { offer, position: isOwn ? 0 : 1, weight: 1 }
}
