import { isObject } from '../lib/json.ts'
import { didYouMean } from '../lib/near.ts'
import { priceNames, unitsOf } from './priced-items.ts'
import type { Wrong } from '../lib/check-value.ts'
import { FACTS, SIZES, TERMS } from './prices.ts'

const MEMBERS = ['value', 'unit', 'currency', 'conditions']
const LIMITS = ['gte', 'gt', 'lte', 'lt']

/** Above this, a price is a mistake: its costs could not be added up. */
const DEAREST = 1_000_000
const LARGEST_FACTOR = 1000

/** The units and conditions that prices can have. */
interface Vocabulary {
  readonly units: readonly unknown[]
  readonly conditions: readonly string[]
}

/** What model lists can express. */
const LISTED: Vocabulary = { units: ['perMTokens', 'perCount', 'perSecond'], conditions: SIZES }
const ALL: Vocabulary = { units: [...LISTED.units, 'perMegapixel'], conditions: [...SIZES, ...FACTS] }

/** Throws if a price has another form than in model lists, or if no item of a cost would use it. */
export function checkPrices(prices: unknown, path: string, wrong: Wrong): void {
  checkItems(prices, path, wrong, LISTED)
}

/** Throws if a price that model lists do not have is wrong. */
export function checkOtherPrices(prices: unknown, path: string, wrong: Wrong): void {
  checkItems(prices, path, wrong, ALL)
}

/** Throws if the prices under other terms than the standard ones are wrong. */
export function checkTerms(terms: unknown, path: string, wrong: Wrong): void {
  if (terms === undefined) return
  if (!Array.isArray(terms)) throw wrong(path, 'must be a list of terms and their prices')
  for (const [index, entry] of (terms as readonly unknown[]).entries()) checkTerm(entry, `${path}.${index}`, wrong)
}

function checkTerm(entry: unknown, path: string, wrong: Wrong): void {
  if (!isObject(entry)) throw wrong(path, 'must be an object with when, and prices or a factor')
  refuseOthers(entry, ['when', 'prices', 'factor'], path, wrong)
  const { when, prices, factor } = entry
  if (!isObject(when) || Object.keys(when).length === 0)
    throw wrong(`${path}.when`, `must be an object with ${TERMS.join(' or ')}`)
  refuseOthers(when, TERMS, `${path}.when`, wrong)
  for (const [term, texts] of Object.entries(when)) checkTexts(texts, `${path}.when.${term}`, wrong)
  if ((prices === undefined) === (factor === undefined)) throw wrong(path, 'must have either prices or a factor')
  if (factor !== undefined && !(typeof factor === 'number' && factor >= 0))
    throw wrong(`${path}.factor`, 'must be a number, at least 0')
  if (Number(factor) > LARGEST_FACTOR) throw wrong(`${path}.factor`, `must be at most ${LARGEST_FACTOR}`)
  checkItems(prices, `${path}.prices`, wrong, ALL)
}

function checkItems(prices: unknown, path: string, wrong: Wrong, vocabulary: Vocabulary): void {
  if (prices === undefined) return
  if (!isObject(prices)) throw wrong(path, 'must be an object of items and their prices')
  const names = priceNames()
  for (const [item, list] of Object.entries(prices)) {
    if (!names.includes(item)) throw wrong(`${path}.${item}`, `is no price${didYouMean(item, names)}`)
    if (!Array.isArray(list)) throw wrong(`${path}.${item}`, 'must be a list of prices, one for each tier')
    for (const [index, price] of (list as readonly unknown[]).entries())
      checkPrice(price, item, `${path}.${item}.${index}`, wrong, vocabulary)
  }
}

function checkPrice(price: unknown, item: string, path: string, wrong: Wrong, vocabulary: Vocabulary): void {
  if (!isObject(price)) throw wrong(path, 'must be an object with value, unit and currency')
  const { value, unit, currency, conditions = {} } = price
  refuseOthers(price, MEMBERS, path, wrong)
  if (typeof value !== 'number' || !(value >= 0))
    throw wrong(`${path}.value`, 'must be a number of dollars, at least 0')
  if (value > DEAREST) throw wrong(`${path}.value`, `must be at most ${DEAREST} dollars`)
  const units = unitsOf(item).filter((each) => vocabulary.units.includes(each))
  if (units.length === 0) throw wrong(path, 'is not a price of model lists: it belongs in otherPrices')
  if (!units.some((each) => each === unit)) throw wrong(`${path}.unit`, `must be ${units.join(' or ')}`)
  if (currency !== 'USD') throw wrong(`${path}.currency`, 'must be USD')
  const names = vocabulary.conditions
  if (!isObject(conditions)) throw wrong(`${path}.conditions`, `must be an object with ${names.join(' or ')}`)
  refuseOthers(conditions, names, `${path}.conditions`, wrong)
  for (const [name, value] of Object.entries(conditions))
    if (SIZES.some((size) => size === name)) checkLimits(value, `${path}.conditions.${name}`, wrong)
    else checkTexts(value, `${path}.conditions.${name}`, wrong)
}

function checkTexts(texts: unknown, path: string, wrong: Wrong): void {
  if (![texts].flat().every((text) => typeof text === 'string')) throw wrong(path, 'must be a text or a list of texts')
}

function checkLimits(limits: unknown, path: string, wrong: Wrong): void {
  if (!isObject(limits)) throw wrong(path, `must be an object with ${LIMITS.join(', ')}`)
  refuseOthers(limits, ['unit', ...LIMITS], path, wrong)
  if (limits['unit'] !== 'kTokens') throw wrong(`${path}.unit`, 'must be kTokens')
  for (const limit of LIMITS)
    if (limits[limit] != null && typeof limits[limit] !== 'number')
      throw wrong(`${path}.${limit}`, 'must be a number of thousands of tokens')
}

function refuseOthers(given: object, known: readonly string[], path: string, wrong: Wrong): void {
  for (const member of Object.keys(given))
    if (!known.includes(member)) throw wrong(`${path}.${member}`, `is unknown${didYouMean(member, known)}`)
}
