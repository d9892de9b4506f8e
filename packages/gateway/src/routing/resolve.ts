import type { ListedModel, Protocol, RoutingPreferences } from '@dragoman/core'
import type { Provider } from '@dragoman/core/provider'
import { isAllowed, isRestricted, notAllowed } from '../callers/admit.ts'
import { createModelIndex, type Offer } from '../models/model-index.ts'
import type { Caller } from '../ports/ports.ts'
import { ambiguous, notFound } from '../models/model-errors.ts'
import type { Candidates, IsAbsent } from './candidates.ts'
import type { ModelName } from '../models/route.ts'
import { createPlainCandidates, findCandidates } from './find-candidates.ts'
import type { AliasOptions } from '../ports/policy.ts'
import { NO_PREFERENCES } from './preferences.ts'
import { createPool, type Pool } from './pool.ts'

export interface Models {
  readonly providers: readonly string[]
  /** What a caller may use, with aliases; all models without a caller. */
  listed(caller?: Caller): readonly ListedModel[]
  /** One entry of this list, by any of its names. Throws not-found, or an error if the caller may not use the model. */
  show(name: ModelName, caller?: Caller): ListedModel
  /**
   * The routes that may serve a call. Throws if there are none, or if the caller may use none of them. `isAbsent` is given if some endpoints
   * are known not to exist.
   */
  candidates(
    name: ModelName,
    preferences: RoutingPreferences,
    inbound: Protocol,
    caller?: Caller,
    isAbsent?: IsAbsent,
  ): Candidates
}

/** The models of providers, as callers may name them. A gateway has its own; a configuration can be checked with another. */
export function createModels(
  providers: readonly Provider[],
  protocols: readonly Protocol[],
  aliases: { readonly [alias: string]: string | AliasOptions } = {},
): Models {
  const index = createModelIndex(providers, protocols)
  const pools = new Map<string, Pool>()
  /** Unlisted models come last: a listed one without its publisher is a better guess. */
  const findAll = ({ model, withoutPublisher = model }: ModelName, caller?: Caller): readonly Offer[] => {
    let found = index.find(model)
    if (found.length === 0) found = index.find(withoutPublisher)
    if (found.length === 0) found = index.findUnlisted(model)
    if (found.length === 0) found = index.findUnlisted(withoutPublisher)
    if (found.length > 0) return found
    const near = index.near(withoutPublisher).filter((id) => isAllowed(caller, id))
    throw notFound(model, near)
  }
  const find = (name: ModelName, caller?: Caller): Offer => {
    const [only, other] = findAll(name, caller)
    if (only === undefined || other !== undefined) throw ambiguous(name.model, findAll(name, caller))
    return only
  }
  const poolOf = ({ model, withoutPublisher = model }: ModelName): Pool | undefined =>
    pools.get(model) ?? (index.find(model).length > 0 ? undefined : pools.get(withoutPublisher))
  for (const [alias, target] of Object.entries(aliases)) {
    const pool = createPool(target, (model) => pools.get(model)?.members[0]?.offer ?? find({ model }))
    pools.set(alias, pool)
  }
  const entries = [
    ...index.offers.filter(({ id }) => !pools.has(id)),
    ...[...pools].flatMap(([alias, { members }]) =>
      members.slice(0, 1).map(({ offer }) => ({ ...offer, id: alias, targets: members.map((each) => each.offer.id) })),
    ),
  ]
  const lookup = { index, poolOf, findAll }
  const findPlain = createPlainCandidates(lookup)

  return {
    providers: providers.map(({ name }) => name),
    listed: (caller) =>
      isRestricted(caller) ? entries.filter((entry) => targetsOf(entry).some((id) => isAllowed(caller, id))) : entries,
    show(name, caller) {
      const pool = poolOf(name)
      const offers = pool === undefined ? [find(name, caller)] : pool.members.map(({ offer }) => offer)
      const offer = offers.find(({ id }) => isAllowed(caller, id))
      if (offer === undefined) throw notAllowed(offers[0]?.id ?? name.model)
      const alias =
        pool === undefined ? undefined : [name.model, name.withoutPublisher ?? ''].find((each) => pools.has(each))
      return alias === undefined ? offer : { ...offer, id: alias }
    },
    candidates(name, preferences, inbound, caller, isAbsent) {
      const isPlain = preferences === NO_PREFERENCES && !isRestricted(caller) && isAbsent === undefined
      const plain = isPlain ? findPlain(name, inbound, caller) : undefined
      return plain ?? findCandidates(lookup, name, preferences, inbound, caller, isAbsent)
    },
  }
}

/** The routed ids, which permissions are about. */
function targetsOf({ id, targets = [id] }: ListedModel & { readonly targets?: readonly string[] }): readonly string[] {
  return targets
}
