import type { Card } from '../ir/model.ts'
import { isObject } from '../lib/json.ts'
import { modalitiesOf, overridden } from './cards.ts'
import { CARD_CHECKS, checkCardPrices, type KnownProtocols } from './check-card.ts'
import type { ProviderDefinition } from './definition.ts'
import { servedBy } from './media-protocols.ts'
import { UNSTATED, wrongOption, type CatalogueFacts, type CatalogueModels } from './options.ts'
import { priceVersion } from './prices.ts'
import { objectCheck, text, type Check, type Wrong } from '../lib/check-value.ts'

/** The cards of a package with what a signed catalogue states: other facts of known models, and new models. */
export function withCatalogue(
  { models: known, drivers }: Pick<ProviderDefinition, 'models' | 'drivers'>,
  catalogue: CatalogueModels | undefined,
  protocols: readonly string[],
  knownProtocols: KnownProtocols,
): readonly Card[] {
  if (catalogue === undefined) return known
  const left = new Map(Object.entries(catalogue.models))
  for (const [name, facts] of left) checkCatalogueFacts(facts, `catalogue.${name}`, wrongOption)
  const cards = new Map(known.map((card) => [card.name, card]))
  const changed = known.map((card) => {
    const facts = left.get(card.name)
    left.delete(card.name)
    return facts === undefined ? card : versioned(overridden(card, knownFacts(facts)), facts, catalogue.version)
  })
  const added = [...left].map(([name, facts]) => {
    const path = `catalogue.${name}`
    const card = versioned(newCard(name, facts, cards, path), facts, catalogue.version)
    for (const protocol of card.protocols ?? [])
      if (!protocols.includes(protocol))
        throw wrongOption(`${path}.protocols`, `names ${protocol}, which is not spoken here`)
    return { ...servedBy(card, protocols, drivers, knownProtocols, path), ...card }
  })
  return [...changed, ...added]
}

/** How a known model is called stays as its package says: a call for it never goes to another model. */
function knownFacts({
  upstream: _upstream,
  protocols: _protocols,
  like: _like,
  ...facts
}: CatalogueFacts): Partial<Card> {
  return facts
}

/** A new model is called at the provider's own host. The form of its requests can only come from a known model. */
function newCard(
  name: string,
  { like, ...facts }: CatalogueFacts,
  cards: ReadonlyMap<string, Card>,
  path: string,
): Card {
  const sibling = like === undefined ? undefined : cards.get(like)
  if (like !== undefined && sibling === undefined) throw wrongOption(`${path}.like`, 'names no model of this provider')
  const called = ['protocols', ...UNSTATED].map((member) => [member, sibling?.[member as keyof Card]] as const) // of a card
  const same = Object.fromEntries(called.filter(([, value]) => value !== undefined)) as Partial<Card> // of a card
  return { name, ...modalitiesOf(facts), ...same, ...facts }
}

/** The version of prices that the catalogue states names the catalogue too. */
function versioned(card: Card, facts: CatalogueFacts, version: number): Card {
  const { prices, otherPrices, terms, ceiling, documents, searches, priceVersion: named } = facts
  const isStated = [prices, otherPrices, terms, ceiling, documents, searches].some((fact) => fact !== undefined)
  const digest = isStated && named === undefined ? priceVersion(card) : undefined
  return digest === undefined ? card : { ...card, priceVersion: `catalogue-${version}/${digest}` }
}

/**
 * Members of configurations that say where calls go, with which credential, or which model a name stands for. They are refused with this
 * reason instead of as unknown ones, wherever they are.
 */
const NEVER: readonly string[] = [
  'baseurl base_url url uri host origin endpoint endpoints proxy package options',
  'headers header auth authorization key keys apikey api_key secret credentials token',
  'route routes routing alias aliases fallback fallbacks transport drivers name',
  UNSTATED.join(' '),
].flatMap((names) => names.split(' '))

const { name: _name, ...checks } = CARD_CHECKS
const stated = Object.entries<Check>(checks).filter(([member]) => !UNSTATED.some((each) => each === member))
const checkMembers = objectCheck({ ...Object.fromEntries(stated), like: text })

/** Throws if a catalogue states something else than facts and prices of a model, or something wrong. */
export function checkCatalogueFacts(facts: unknown, path: string, wrong: Wrong): void {
  if (!isObject(facts)) throw wrong(path, 'must be an object')
  refuseForbidden(facts, path, wrong)
  checkMembers(facts, path, wrong)
  checkCardPrices(facts, path, wrong)
}

/** Throws if an object has a member that no catalogue may have. */
export function refuseForbidden(given: object, path: string, wrong: Wrong): void {
  for (const member of Object.keys(given))
    if (NEVER.includes(member.toLowerCase()))
      throw wrong(
        path === '' ? member : `${path}.${member}`,
        'is not accepted: a catalogue states facts and prices, never a host, header, credential or route',
      )
}
