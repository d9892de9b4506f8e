import { type ListedModel, type Protocol } from '@dragoman/core'
import { isPattern, nearNames, ownApi, type Card, type Provider } from '@dragoman/core/provider'

/** A model of a provider, and the protocols that it can be called in. */
export interface Offer extends ListedModel {
  readonly from: Provider
  readonly protocols: readonly Protocol[]
  /** The date at the end of the requested name. */
  readonly date?: string
}

/** Finds models by the names that callers use. */
export interface ModelIndex {
  readonly offers: readonly Offer[]
  /** Offers of a listed model: by id, by name, by the upstream's own name, or by one of these with a date. */
  find(id: string): readonly Offer[]
  /** Offers of a model that no provider lists, from the patterns of the providers. */
  findUnlisted(id: string): readonly Offer[]
  /** All offers of the same model, with the same date. */
  peers(offer: Offer): readonly Offer[]
  /** Ids of models with a similar name. */
  near(id: string): readonly string[]
}

/** A date as vendors append it: `-20250929`, `-2025-08-07`, `@20250929`. */
const DATE = /[-@](?:\d{8}|\d{4}-\d\d-\d\d)$/

export function createModelIndex(providers: readonly Provider[], protocols: readonly Protocol[]): ModelIndex {
  const all = providers
    .flatMap((provider) => provider.models.map((card) => createOffer(provider, card, protocols)))
    .filter((offer) => offer.protocols.length > 0)
  const offers = all.filter(({ card }) => !isPattern(card.name))
  const patterns = all.filter(({ card }) => isPattern(card.name))
  const renamed = offers.filter(({ card }) => card.upstream !== undefined)
  const byName = groupBy(offers, ({ card }) => card.name)
  const isProvider = (name: string): boolean => providers.some((provider) => name.startsWith(`${provider.name}/`))
  // Best first: an id is never taken for the upstream's name of another model.
  const spellings = [
    groupBy(offers, ({ id }) => id),
    byName,
    groupBy(renamed, ({ provider, card }) => `${provider}/${card.upstream}`),
    groupBy(
      renamed.filter(({ card: { upstream = '' } }) => !isProvider(upstream)),
      ({ card: { upstream = '' } }) => upstream,
    ),
  ]
  const lookUp = (id: string): readonly Offer[] => spellings.find((names) => names.has(id))?.get(id) ?? []
  return {
    offers,
    find(id) {
      const found = lookUp(id)
      const [date] = found.length > 0 ? [] : (DATE.exec(id) ?? [])
      return date === undefined ? found : lookUp(id.slice(0, -date.length)).map((offer) => withDate(offer, date))
    },
    findUnlisted: (id) => (isSafe(id) ? matchPatterns(patterns, id) : []),
    peers(offer) {
      const { date } = offer
      const peers = byName.get(offer.card.name) ?? [offer]
      return date === undefined ? peers : peers.map((peer) => withDate(peer, date))
    },
    near(id) {
      const idOf = new Map(offers.flatMap((offer) => [offer.card.name, offer.id].map((name) => [name, offer.id])))
      return [...new Set(nearNames(id, [...idOf.keys()], 6).flatMap((name) => idOf.get(name) ?? []))]
    },
  }
}

/** A card without a protocol of this gateway cannot be called and is not offered. */
function createOffer(provider: Provider, card: Card, protocols: readonly Protocol[]): Offer {
  const spoken = (card.protocols ?? provider.protocols).filter((name) => provider.protocols.includes(name))
  const known = spoken.flatMap((name) => [...protocols, ownApi].filter((protocol) => protocol.name === name))
  return { id: `${provider.name}/${card.name}`, provider: provider.name, card, from: provider, protocols: known }
}

/** The upstream gets the requested date; the card and the id are those of the model. */
function withDate(offer: Offer, date: string): Offer {
  const { name, upstream = name } = offer.card
  return { ...offer, date, card: { ...offer.card, upstream: upstream.replace(DATE, '') + date } }
}

/** One offer per provider, from its longest pattern. Without a provider, a pattern that covers every name does not count. */
function matchPatterns(patterns: readonly Offer[], id: string): readonly Offer[] {
  const found = new Map<string, { readonly length: number; readonly offer: Offer }>()
  for (const offer of patterns) {
    const { provider, card } = offer
    const start = card.name.slice(0, -1)
    const isNamed = id.startsWith(`${provider}/`)
    const name = isNamed ? id.slice(provider.length + 1) : id
    if (name === '' || !name.startsWith(start) || (!isNamed && start === '')) continue
    if (start.length < (found.get(provider)?.length ?? 0)) continue
    const { upstream: _, ...facts } = card
    found.set(provider, {
      length: start.length,
      offer: { ...offer, id: `${provider}/${name}`, card: { ...facts, name } },
    })
  }
  const named = [...found].filter(([provider]) => id.startsWith(`${provider}/`))
  return (named.length > 0 ? named : [...found]).map(([, { offer }]) => offer)
}

/** Whether an id may be a part of an upstream's URL: printable, short, and without a segment that URLs resolve. */
function isSafe(id: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(id) && id.split('/').every((segment) => !/^\.{0,2}$/.test(segment))
}

function groupBy(offers: readonly Offer[], nameOf: (offer: Offer) => string): ReadonlyMap<string, readonly Offer[]> {
  const groups = new Map<string, Offer[]>()
  for (const offer of offers) {
    const name = nameOf(offer)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [offer])
    else group.push(offer)
  }
  return groups
}
