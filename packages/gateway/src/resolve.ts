import { DragomanError, type Card, type ListedModel, type Protocol, type Provider } from '@dragoman/core'

/** One way to a model: who offers it, and in which language it is asked. */
export interface Route {
  /** `<provider>/<name>` */
  readonly id: string
  readonly provider: Provider
  readonly card: Card
  readonly protocol: Protocol
}

export interface Models {
  readonly listed: readonly ListedModel[]
  /** The model that an id, an alias or an unambiguous bare name stands for. Throws not-found, with the candidates. */
  find(id: string): ListedModel
  /** The routes to it, best first: the caller's own protocol before all others. */
  routes(id: string, inbound: Protocol): readonly Route[]
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

  const find = (id: string): Offer => {
    const exact = byAlias.get(id) ?? byId.get(id)
    if (exact !== undefined) return exact
    const candidates = byName.get(id) ?? []
    const [only] = candidates
    if (only === undefined || candidates.length > 1) throw notFound(id, candidates)
    return only
  }
  for (const [alias, id] of Object.entries(aliases)) byAlias.set(alias, find(id))

  return {
    listed: offers,
    find,
    routes(id, inbound) {
      const offer = find(id)
      const own = offer.protocols.filter((protocol) => protocol === inbound)
      const others = offer.protocols.filter((protocol) => protocol !== inbound)
      return [...own, ...others].map((protocol) => ({ id: offer.id, provider: offer.from, card: offer.card, protocol }))
    },
  }
}

/** Without a protocol of this gateway, a card cannot be reached and is not offered. */
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

function listOf(candidates: readonly Offer[]): string {
  return candidates.map(({ id }) => id).join(' or ')
}

/** A name from outside, fit to be repeated. */
function clip(id: string): string {
  const printable = id.replace(/\p{C}/gu, '?')
  return printable.length > 200 ? `${printable.slice(0, 200)}…` : printable
}
