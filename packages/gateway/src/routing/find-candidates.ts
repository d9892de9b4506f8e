import type { Protocol, RoutingWishes } from '@dragoman/core'
import { isAllowed, notAllowed } from '../admit.ts'
import { ambiguous, unoffered } from '../model-errors.ts'
import type { ModelIndex, Offer } from '../model-index.ts'
import type { Caller } from '../ports.ts'
import type { ModelName } from '../route.ts'
import { membersOf, routesOf, type Candidates, type Member } from './candidates.ts'
import { NO_POLICY } from './policy.ts'
import { inPool, ofProviders, type Pool } from './pool.ts'

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
    const routes = routesOf({ offer, position: 0, weight: 1 }, inbound)
    const candidates: Candidates = { pool: offer.id, routes, policy: NO_POLICY }
    byProtocol.set(inbound, candidates)
    return candidates
  }
}

/** The routes that may serve a call. Throws if there are none, or if the caller may use none of them. */
export function findCandidates(
  lookup: Lookup,
  name: ModelName,
  wishes: RoutingWishes,
  inbound: Protocol,
  caller: Caller | undefined,
): Candidates {
  const { models, preference, providers } = wishes
  const names =
    (models === undefined ? undefined : [...new Set(models)])?.map((model) => ({ model })) ??
    (preference === undefined ? [name] : [{ model: preference }, name])
  const members = names.flatMap((each, index) =>
    membersFor(lookup, each, wishes, caller).map((member) => ({
      ...member,
      // Without a list of providers, the list of models is the order.
      position: providers === undefined ? index * MOST_MEMBERS + member.position : member.position,
      isPreferred: each.model === preference,
    })),
  )
  const allowed = caller?.models === undefined ? members : members.filter(({ offer }) => isAllowed(caller, offer.id))
  if (allowed.length === 0) throw notAllowed(members[0]?.offer.id ?? name.model)
  return {
    pool: names.map(({ model }) => model).join(' '),
    routes: allowed.flatMap((member) => routesOf(member, inbound)),
    policy: (models === undefined ? lookup.poolOf(name)?.policy : undefined) ?? NO_POLICY,
  }
}

/** The offers of one model or alias that the wishes allow. */
function membersFor(
  { index, poolOf, findAll }: Lookup,
  name: ModelName,
  wishes: RoutingWishes,
  caller: Caller | undefined,
): readonly Member[] {
  const pool = poolOf(name)
  const named = pool === undefined ? findAll(name, caller) : pool.members.map(({ offer }) => offer)
  const [own, other] = named
  if (own === undefined) return []
  if (other !== undefined && pool !== undefined) return some(ofProviders(pool.members, wishes), own, named)
  if (other !== undefined && wishes.providers === undefined) throw ambiguous(name.model, named)
  const peers = index.peers(own)
  const members = some(membersOf(named, peers, wishes), own, peers)
  return pool === undefined ? members : members.map((member) => inPool(member, pool))
}

function some(members: readonly Member[], own: Offer, peers: readonly Offer[]): readonly Member[] {
  if (members.length === 0) throw unoffered(own, peers)
  return members
}
