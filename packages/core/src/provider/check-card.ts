import type { Card } from '../ir/model.ts'
import { isObject } from '../lib/json.ts'
import { didYouMean } from '../lib/near.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { KINDS, type CardFacts } from '../ir/media-kinds.ts'
import { checkOtherPrices, checkPrices, checkTerms } from './check-prices.ts'
import { checkQuirks } from './quirks.ts'
import {
  count,
  listCheck,
  matching,
  objectCheck,
  oneOf,
  required,
  text,
  whole,
  type Check,
  type Checks,
  type Wrong,
} from '../lib/check-value.ts'
import { checkChoosers } from './choosers.ts'
import { OWN, ownApi } from './own-api.ts'

/** The protocols that exist, by name. */
export type KnownProtocols = ReadonlyMap<string, Protocol>

/** Checked below, with what it depends on. */
const elsewhere: Check = Object.assign(() => undefined, { schema: {} })
const modalities = listCheck(oneOf('text', 'image', 'video', 'audio', 'file'))
const day = matching(/^\d{4}-\d\d-\d\d$/, 'a day, YYYY-MM-DD')

/** The check of each member by itself. */
const OWN_CHECKS: Checks<Omit<Card, keyof CardFacts>> = {
  name: text,
  upstream: text,
  display: text,
  description: text,
  owner: text,
  line: text,
  released: day,
  retires: day,
  context: count,
  maxOutput: count,
  input: modalities,
  output: modalities,
  quality: whole(1, 100),
  reasoning: objectCheck({ min: whole(0), max: count }),
  issuer: text,
  protocols: listCheck(text),
  dialects: elsewhere,
  extensions: elsewhere,
  urls: elsewhere,
  quirks: elsewhere,
  choosers: elsewhere,
  prices: elsewhere,
  documents: oneOf('image'),
  searches: oneOf('once'),
  otherPrices: elsewhere,
  terms: elsewhere,
  ceiling: elsewhere,
  priceVersion: text,
  sources: listCheck(
    objectCheck({
      facts: required(listCheck(oneOf('name', 'limits', 'prices'))),
      from: required(text),
      date: required(text),
    }),
  ),
}
export const CARD_CHECKS: { readonly [member: string]: Check } = {
  ...OWN_CHECKS,
  ...Object.fromEntries(KINDS.map(({ name, facts }) => [name, facts])),
}
const checkMembers = objectCheck(CARD_CHECKS)

/** Throws if a card has a member, a protocol, a quirk or a dialect that does not exist, or a fact that cannot be one. */
export function checkCard(card: unknown, path: string, wrong: Wrong, known: KnownProtocols): void {
  if (!isObject(card)) throw wrong(path, 'must be an object')
  checkMembers(card, path, wrong)
  checkPerProtocol(card, `${path}.`, wrong, known)
  checkCardPrices(card, path, wrong)
}

/** Throws if a price of a card is wrong. */
export function checkCardPrices(card: { readonly [member: string]: unknown }, path: string, wrong: Wrong): void {
  checkPrices(card['prices'], `${path}.prices`, wrong)
  checkOtherPrices(card['otherPrices'], `${path}.otherPrices`, wrong)
  checkOtherPrices(card['ceiling'], `${path}.ceiling`, wrong)
  checkTerms(card['terms'], `${path}.terms`, wrong)
}

/** The members of cards and definitions per protocol. */
export function checkPerProtocol(
  { quirks, dialects, extensions, choosers, urls }: { readonly [member: string]: unknown },
  prefix: string,
  wrong: Wrong,
  known: KnownProtocols,
): void {
  const each = (
    member: string,
    value: unknown,
    check: (value: unknown, path: string, protocol: Protocol) => void,
    names = known,
  ) => {
    if (value === undefined) return
    if (!isObject(value)) throw wrong(`${prefix}${member}`, 'must be an object of protocols')
    for (const [name, inside] of Object.entries(value))
      check(inside, `${prefix}${member}.${name}`, findProtocol(name, `${prefix}${member}.${name}`, wrong, names))
  }
  each('quirks', quirks, (list, path) => checkQuirks(list, path, wrong))
  each('choosers', choosers, (list, path) => checkChoosers(list, path, wrong))
  const checkUrls = (opens: unknown, path: string): void => {
    if (typeof opens !== 'boolean') throw wrong(path, 'must be true or false')
  }
  // Drivers differ in this too.
  each('urls', urls, checkUrls, new Map([...known, [OWN, ownApi]]))
  each('dialects', dialects, (names, path, protocol) => checkNames(names, path, protocol.dialects, wrong))
  each('extensions', extensions, (names, path, protocol) => checkNames(names, path, protocol.extensions, wrong))
}

/** The protocol with this name; throws if there is none. */
export function findProtocol(name: string, path: string, wrong: Wrong, known: KnownProtocols): Protocol {
  const protocol = known.get(name)
  if (protocol !== undefined) return protocol
  const names = [...known.keys()]
  throw wrong(path, `names no protocol: there are ${names.join(', ')}${didYouMean(name, names)}`)
}

function checkNames(given: unknown, path: string, names: readonly string[] | undefined, wrong: Wrong): void {
  if (!isObject(given)) throw wrong(path, 'must be an object')
  if (names === undefined) return
  const there = names.length === 0 ? 'this protocol has none' : `there are ${names.join(', ')}`
  for (const name of Object.keys(given))
    if (!names.includes(name)) throw wrong(`${path}.${name}`, `is unknown: ${there}${didYouMean(name, names)}`)
}
