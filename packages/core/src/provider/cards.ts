import { factsOf, KINDS } from '../ir/media-kinds.ts'
import type { Card, CardSource, Chooser } from '../ir/model.ts'
import type { Quirk } from '../ir/quirk.ts'
import type { JsonObject } from '../lib/json.ts'
import { withCeiling } from './priced-items.ts'
import { checkCard, type KnownProtocols } from './check-card.ts'
import { servedBy } from './media-protocols.ts'
import { wrongOption, type ExtraModel, type ProviderOptions } from './options.ts'
import type { Drivers } from './media.ts'
import { OWN } from './own-api.ts'
import { priceVersion } from './prices.ts'

/** Facts about every model of a provider. */
export interface Shared {
  readonly quirks?: { readonly [protocol: string]: readonly Quirk[] } | undefined
  readonly dialects?: { readonly [protocol: string]: JsonObject } | undefined
  readonly extensions?: { readonly [protocol: string]: JsonObject } | undefined
  readonly choosers?: { readonly [protocol: string]: readonly Chooser[] } | undefined
  readonly urls?: { readonly [protocol: string]: boolean } | undefined
  readonly issuer?: string | undefined
  readonly drivers?: Drivers | undefined
}

/** The known cards and the operator's own, each with the common facts of the provider. */
export function createCards(
  known: readonly Card[],
  shared: Shared,
  protocols: readonly string[],
  { models = [], overrides = {} }: Pick<ProviderOptions, 'models' | 'overrides'>,
  knownProtocols: KnownProtocols,
): readonly Card[] {
  if (!Array.isArray(models)) throw wrongOption('models', 'must be a list of model names or cards')
  if (typeof overrides !== 'object' || overrides === null)
    throw wrongOption('overrides', 'must be an object of model names and facts')
  const extra = (models as readonly (string | ExtraModel)[]).map((model, index) =>
    extraCard(model, `models.${index}`, knownProtocols),
  )
  const names = new Set(extra.map(({ name }) => name))
  const cards = [...known.filter(({ name }) => !names.has(name)), ...extra]
  for (const name of Object.keys(overrides)) {
    if (!cards.some((card) => card.name === name)) throw wrongOption(`overrides.${name}`, 'names no model')
    checkCard(overrides[name], `overrides.${name}`, wrongOption, knownProtocols)
  }
  const changed = cards.map((card) =>
    overridden(card, Object.hasOwn(overrides, card.name) ? overrides[card.name] : undefined),
  )
  const statesMedia = (name: string): boolean =>
    names.has(name) || (Object.hasOwn(overrides, name) && KINDS.some((kind) => factsOf(kind, overrides[name] ?? {})))
  const vendors = changed.filter(({ name }) => !names.has(name))
  return changed.map((card) => {
    const own = versioned(withCeiling(card, vendors))
    for (const protocol of own.protocols ?? [])
      if (!protocols.includes(protocol))
        throw wrongOption(`models.${own.name}.protocols`, `names ${protocol}, which is not spoken here`)
    const served = statesMedia(own.name) ? servedBy(own, protocols, shared.drivers, knownProtocols) : {}
    return withShared({ ...conversing(protocols), ...served, ...own }, shared)
  })
}

/** Only cards that name the provider's own API are called there: it has no conversations. */
function conversing(protocols: readonly string[]): Pick<Card, 'protocols'> {
  const others = protocols.filter((protocol) => protocol !== OWN)
  return others.length === 0 || others.length === protocols.length ? {} : { protocols: others }
}

/** Prices are replaced item by item, and then have another version and no source but the operator's. */
export function overridden(card: Card, facts: Partial<Card> = {}): Card {
  const { priceVersion: stated, sources, ...own } = { ...card, ...facts }
  const changed = facts.prices ?? facts.otherPrices ?? facts.terms ?? facts.ceiling
  const version = changed === undefined ? stated : facts.priceVersion
  const prices = joinPrices(card.prices, facts.prices)
  // The other price of an item is used first: it must not hide the price that an operator gives.
  const others = Object.entries(card.otherPrices ?? {}).filter(([item]) => facts.prices?.[item] === undefined)
  const otherPrices = joinPrices(card.otherPrices && Object.fromEntries(others), facts.otherPrices)
  const ceiling = joinPrices(card.ceiling, facts.ceiling)
  return {
    ...own,
    ...(prices === undefined ? {} : { prices }),
    ...(otherPrices === undefined ? {} : { otherPrices }),
    ...(ceiling === undefined ? {} : { ceiling }),
    ...(version === undefined ? {} : { priceVersion: version }),
    ...(sources === undefined
      ? {}
      : { sources: changed === undefined || facts.sources !== undefined ? sources : withoutPrices(sources) }),
  }
}

function withoutPrices(sources: readonly CardSource[]): readonly CardSource[] {
  const others = sources.map((source) => ({ ...source, facts: source.facts.filter((fact) => fact !== 'prices') }))
  return others.filter(({ facts }) => facts.length > 0)
}

function joinPrices(known: Card['prices'], own: Card['prices']): Card['prices'] {
  return known === undefined && own === undefined ? undefined : { ...known, ...own }
}

function versioned(card: Card): Card {
  const version = card.priceVersion ?? priceVersion(card)
  return version === undefined ? card : { ...card, priceVersion: version }
}

function extraCard(model: string | ExtraModel, option: string, knownProtocols: KnownProtocols): Card {
  const facts = typeof model === 'string' ? { name: model } : model
  if (typeof facts !== 'object' || facts === null || typeof facts.name !== 'string' || facts.name === '')
    throw wrongOption(option, 'must be a model name or a card with one')
  checkCard(facts, option, wrongOption, knownProtocols)
  return { ...modalitiesOf(facts), ...facts }
}

/** The modalities of a model whose card does not state them. */
export function modalitiesOf(card: Partial<Card>): Pick<Card, 'input' | 'output'> {
  for (const kind of KINDS.toReversed()) {
    const facts = factsOf(kind, card)
    if (facts !== undefined) return kind.modalities(facts)
  }
  return { input: ['text'], output: ['text'] }
}

function withShared(card: Card, { quirks, dialects, extensions, choosers, urls, issuer = card.issuer }: Shared): Card {
  const allQuirks = joined(quirks, card.quirks, (shared, own) => [...shared, ...own])
  const allDialects = joined(dialects, card.dialects, (shared, own) => ({ ...shared, ...own }))
  const allExtensions = joined(extensions, card.extensions, (shared, own) => ({ ...shared, ...own }))
  const allChoosers = joined(choosers, card.choosers, (shared, own) => [...shared, ...own])
  return {
    ...(issuer === undefined ? {} : { issuer }),
    ...card,
    ...(urls === undefined ? {} : { urls: { ...urls, ...card.urls } }),
    ...(allQuirks === undefined ? {} : { quirks: allQuirks }),
    ...(allDialects === undefined ? {} : { dialects: allDialects }),
    ...(allExtensions === undefined ? {} : { extensions: allExtensions }),
    ...(allChoosers === undefined ? {} : { choosers: allChoosers }),
  }
}

type PerProtocol<T> = { readonly [protocol: string]: T } | undefined

function joined<T>(shared: PerProtocol<T>, own: PerProtocol<T>, join: (shared: T, own: T) => T): PerProtocol<T> {
  if (shared === undefined || own === undefined) return own ?? shared
  const both = Object.entries(own).map(([protocol, mine]) => {
    const theirs = Object.hasOwn(shared, protocol) ? shared[protocol] : undefined
    return [protocol, theirs === undefined ? mine : join(theirs, mine)] as const
  })
  return { ...shared, ...Object.fromEntries(both) }
}
