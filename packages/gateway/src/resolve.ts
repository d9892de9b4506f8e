import { DragomanError, type ListedModel, type Protocol } from '@dragoman/core'
import type { Card, Provider } from '@dragoman/core/provider'
import { isAllowed, notAllowed } from './admit.ts'
import { createModelIndex, type Offer } from './model-index.ts'
import type { Caller } from './ports.ts'

/** One way to serve a model: provider, card and protocol. */
export interface Route {
  /** `<provider>/<name>` */
  readonly id: string
  readonly provider: Provider
  readonly card: Card
  readonly protocol: Protocol
}

export interface Models {
  /** What a caller may use, with aliases; all models without a caller. */
  listed(caller?: Caller): readonly ListedModel[]
  /** One entry of this list, by any of its names. Throws not-found, or an error if the caller may not use the model. */
  show(name: ModelName, caller?: Caller): ListedModel
  /** The routes to a model, best first: providers in the preferred order, and for each provider the caller's own protocol first. */
  routes(preference: RoutePreference, inbound: Protocol, caller?: Caller): readonly Route[]
}

/** The name of a model in a request. */
export interface ModelName {
  readonly model: string
  /** The same name without the publisher that an SDK put before it. */
  readonly bare?: string | undefined
}

/** The requested model, and the preferred providers. */
export interface RoutePreference extends ModelName {
  /** The only providers that may answer, best first; absent: the provider in the model id. */
  readonly providers?: readonly string[] | undefined
  /** If false, only the best provider may answer. */
  readonly fallback?: boolean | undefined
}

/** The models of providers, as callers may name them. A gateway has its own; a configuration can be checked with another. */
export function createModels(
  providers: readonly Provider[],
  protocols: readonly Protocol[],
  aliases: { readonly [alias: string]: string } = {},
): Models {
  const index = createModelIndex(providers, protocols)
  const byAlias = new Map<string, Offer>()
  const lookUp = (id: string): readonly Offer[] => {
    const aliased = byAlias.get(id)
    return aliased === undefined ? index.find(id) : [aliased]
  }
  /** Unlisted models come last: a listed one without its publisher is a better guess. */
  const find = ({ model, bare = model }: ModelName, caller?: Caller): Offer => {
    let found = lookUp(model)
    if (found.length === 0) found = lookUp(bare)
    if (found.length === 0) found = index.findUnlisted(model)
    if (found.length === 0) found = index.findUnlisted(bare)
    const [only] = found
    if (only === undefined) {
      const near = index.near(bare)
      throw notFound(
        model,
        near.filter((id) => isAllowed(caller, id)),
      )
    }
    if (found.length > 1) throw ambiguous(model, found)
    return only
  }
  for (const [alias, model] of Object.entries(aliases)) byAlias.set(alias, find({ model }))
  const entries = [
    ...index.offers,
    ...[...byAlias].map(([alias, offer]) => ({ ...offer, id: alias, target: offer.id })),
  ]

  return {
    listed: (caller) =>
      caller?.models === undefined ? entries : entries.filter((entry) => isAllowed(caller, targetOf(entry))),
    show(name, caller) {
      const offer = find(name, caller)
      if (!isAllowed(caller, offer.id)) throw notAllowed(offer.id)
      const alias = [name.model, name.bare ?? ''].find((each) => byAlias.has(each))
      return alias === undefined ? offer : { ...offer, id: alias }
    },
    routes(preference, inbound, caller) {
      const offer = find(preference, caller)
      if (preference.providers === undefined) return routesOf(offer, inbound)
      const peers = index.peers(offer)
      const wanted = [...new Set(preference.providers)].flatMap((name) =>
        peers.filter(({ provider }) => provider === name),
      )
      if (wanted.length === 0) throw unoffered(offer, peers)
      return wanted.flatMap((peer) => routesOf(peer, inbound))
    },
  }
}

function routesOf({ id, from, card, protocols }: Offer, inbound: Protocol): readonly Route[] {
  const own = protocols.filter((protocol) => protocol === inbound)
  const others = protocols.filter((protocol) => protocol !== inbound)
  return [...own, ...others].map((protocol) => ({ id, provider: from, card, protocol }))
}

/** The routes that the caller may use, best first, at least one. Throws if the caller may use none of them. */
export function allowedRoutes(
  models: Models,
  caller: Caller | undefined,
  preference: RoutePreference,
  inbound: Protocol,
): readonly Route[] {
  const routes = models.routes(preference, inbound, caller)
  const allowed = caller?.models === undefined ? routes : routes.filter(({ id }) => isAllowed(caller, id))
  const [best] = allowed
  if (best === undefined) throw notAllowed(routes[0]?.id ?? preference.model)
  return preference.fallback === false ? allowed.filter(({ provider }) => provider === best.provider) : allowed
}

/** The routed id, which permissions are about. */
function targetOf({ id, target = id }: ListedModel & { readonly target?: string }): string {
  return target
}

const NOT_FOUND = { param: 'model', code: 'model_not_found' }

function ambiguous(id: string, candidates: readonly Offer[]): DragomanError {
  const message = `The model "${clip(id)}" is offered by several providers: ask for ${listOf(candidates)}.`
  return new DragomanError('not-found', message, NOT_FOUND)
}

function notFound(id: string, near: readonly string[]): DragomanError {
  const hint = near.length === 0 ? '.' : `; did you mean ${near.slice(0, 3).join(' or ')}?`
  return new DragomanError('not-found', `The model "${clip(id)}" does not exist${hint}`, NOT_FOUND)
}

function unoffered({ card }: Offer, peers: readonly Offer[]): DragomanError {
  const message = `None of the providers asked for has the model "${card.name}": it is offered as ${listOf(peers)}.`
  return new DragomanError('not-found', message, { param: 'provider', code: 'model_not_found' })
}

function listOf(candidates: readonly Offer[]): string {
  return candidates.map(({ id }) => id).join(' or ')
}

/** A name from a request, shortened and without control characters. */
function clip(id: string): string {
  const printable = id.replace(/\p{C}/gu, '?')
  return printable.length > 200 ? `${printable.slice(0, 200)}…` : printable
}
