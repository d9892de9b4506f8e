import { isObject } from '../lib/json.ts'
import { didYouMean } from '../lib/near.ts'
import { priceNames, unitsOf } from './cost.ts'
import type { Wrong } from './options.ts'

const MEMBERS = ['value', 'unit', 'currency', 'conditions']
const SIZES = ['prompt_tokens', 'completion_tokens']
const LIMITS = ['gte', 'gt', 'lte', 'lt']

/** Throws if a price has another form than in model lists, or if no item of a cost would use it. */
export function checkPrices(prices: unknown, path: string, wrong: Wrong): void {
  if (prices === undefined) return
  if (!isObject(prices)) throw wrong(path, 'must be an object of items and their prices')
  const names = priceNames()
  for (const [item, list] of Object.entries(prices)) {
    if (!names.includes(item)) throw wrong(`${path}.${item}`, `is no price${didYouMean(item, names)}`)
    if (!Array.isArray(list)) throw wrong(`${path}.${item}`, 'must be a list of prices, one for each tier')
    for (const [index, price] of (list as readonly unknown[]).entries())
      checkPrice(price, item, `${path}.${item}.${index}`, wrong)
  }
}

function checkPrice(price: unknown, item: string, path: string, wrong: Wrong): void {
  if (!isObject(price)) throw wrong(path, 'must be an object with value, unit and currency')
  const { value, unit, currency, conditions = {} } = price
  refuseOthers(price, MEMBERS, path, wrong)
  if (typeof value !== 'number' || !(value >= 0) || value === Number.POSITIVE_INFINITY)
    throw wrong(`${path}.value`, 'must be a number of dollars, at least 0')
  const units: readonly unknown[] = unitsOf(item)
  if (!units.includes(unit)) throw wrong(`${path}.unit`, `must be ${units.join(' or ')}`)
  if (currency !== 'USD') throw wrong(`${path}.currency`, 'must be USD')
  if (!isObject(conditions)) throw wrong(`${path}.conditions`, `must be an object with ${SIZES.join(' or ')}`)
  refuseOthers(conditions, SIZES, `${path}.conditions`, wrong)
  for (const [size, limits] of Object.entries(conditions)) checkLimits(limits, `${path}.conditions.${size}`, wrong)
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
