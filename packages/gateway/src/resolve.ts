import { DragomanError, type ListedModel, type Protocol } from '@dragoman/core'
import type { Card, Provider } from '@dragoman/core/provider'
import { isAllowed, notAllowed } from './admit.ts'
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
  readonly listed: readonly ListedModel[]
  /**
   * The model of an id, an alias or an unambiguous name; `bare` is tried if the id is unknown. Throws not-found with the
   * candidates.
   */
  find(id: string, bare?: string): ListedModel
  /** The routes to a model, best first: providers in the preferred order, and for each provider the caller's own protocol first. */
  routes(preference: RoutePreference, inbound: Protocol): readonly Route[]
}

/** The requested model, and the preferred providers. */
export interface RoutePreference {
  readonly model: string
  /** The same name without the publisher that an SDK put before it. */
  readonly bare?: string | undefined
  /** The only providers that may answer, best first; absent: the provider in the model id. */
  readonly providers?: readonly string[] | undefined
  /** If false, only the best provider may answer. */
  readonly fallback?: boolean | undefined
}

interface Offer extends ListedModel {
  readonly from: Provider
  readonly protocols: readonly Protocol[]
}

export function createModels(
  providers: readonly Provider[],
  protocols: readonly Protocol[],
  aliases: { readonly [alias: string]: string } = {},
): Models {
  const offers = providers
    .flatMap((provider) => provider.models.map((card) => createOffer(provider, card, protocols)))
    .filter((offer) => offer.protocols.length > 0)
  const byId = new Map(offers.map((offer) => [offer.id, offer]))
  const byName = new Map<string, readonly Offer[]>()
  for (const offer of offers) byName.set(offer.card.name, [...(byName.get(offer.card.name) ?? []), offer])
  const byAlias = new Map<string, Offer>()

  const lookUp = (id: string): readonly Offer[] => {
    const exact = byAlias.get(id) ?? byId.get(id)
    return exact === undefined ? (byName.get(id) ?? []) : [exact]
  }
  const find = (id: string, bare?: string): Offer => {
    const found = lookUp(id)
    const candidates = found.length === 0 && bare !== undefined ? lookUp(bare) : found
    const [only] = candidates
    if (only === undefined || candidates.length > 1) throw notFound(id, candidates)
    return only
  }
  for (const [alias, id] of Object.entries(aliases)) byAlias.set(alias, find(id))

  return {
    listed: offers,
    find,
    routes({ model, bare, providers }, inbound) {
      const offer = find(model, bare)
      if (providers === undefined) return routesOf(offer, inbound)
      const peers = byName.get(offer.card.name) ?? []
      const wanted = [...new Set(providers)].flatMap((name) => peers.filter(({ provider }) => provider === name))
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
  const routes = models.routes(preference, inbound)
  const allowed = caller?.models === undefined ? routes : routes.filter(({ id }) => isAllowed(caller, id))
  const [best] = allowed
  if (best === undefined) throw notAllowed(routes[0]?.id ?? preference.model)
  return preference.fallback === false ? allowed.filter(({ provider }) => provider === best.provider) : allowed
}

/** A card without a protocol of this gateway cannot be called and is not offered. */
function createOffer(provider: Provider, card: Card, protocols: readonly Protocol[]): Offer {
  const spoken = (card.protocols ?? provider.protocols).filter((name) => provider.protocols.includes(name))
  const known = spoken.flatMap((name) => protocols.filter((protocol) => protocol.name === name))
  return { id: `${provider.name}/${card.name}`, provider: provider.name, card, from: provider, protocols: known }
}

function notFound(id: string, candidates: readonly Offer[]): DragomanError {
  const name = clip(id)
  const several = `The model "${name}" is offered by several providers: ask for ${listOf(candidates)}.`
  const none = `The model "${name}" does not exist.`
  return new DragomanError('not-found', candidates.length > 1 ? several : none, {
    param: 'model',
    code: 'model_not_found',
  })
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
