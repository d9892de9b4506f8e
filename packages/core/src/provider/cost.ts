import type { Billed, PriceFacts } from '../ir/billed.ts'
import type { Card, Price } from '../ir/model.ts'
import {
  PRICES_OF,
  unitOf,
  bucketsOf,
  INPUT_BUCKETS,
  OUTPUT_BUCKETS,
  type ItemName,
  type Bucket,
  type Buckets,
} from './priced-items.ts'
import { applies, tableUnder, type PriceTable } from './prices.ts'
import { quantitiesOf } from './quantities.ts'

/** The price of an answer, item by item, in nano-dollars: billionths of a US dollar, always whole numbers. */
export interface Cost {
  readonly total: number
  readonly items: readonly CostItem[]
  /** The version of the prices, from the card. */
  readonly version?: string
  /** What the card has no price for. It is not in the total. */
  readonly unpriced?: readonly CostName[]
  /** Some of it has no price: the total is the most that it can cost, by the ceiling of the card. */
  readonly ceiling?: true
  /** The usage was estimated, not reported by the upstream. */
  readonly estimated?: true
}

/** What one kind of token, or everything that was counted in another unit, costs. */
export interface CostItem {
  readonly name: CostName
  /** Tokens, searches, images, megapixels, seconds or attempts. */
  readonly quantity: number
  readonly nanos: number
}

/** The nano-dollars of all items, of those of the prompt, and of those of the output. */
export function sidesOf({ total, items }: Cost): CostSides {
  const sum = (buckets: readonly string[]): number =>
    items.reduce((all, { name, nanos }) => (buckets.includes(name) ? all + nanos : all), 0)
  return { total, input: sum(INPUT_BUCKETS), output: sum(OUTPUT_BUCKETS) }
}

/** In nano-dollars. The total includes what is on neither side, such as searches. */
interface CostSides {
  readonly total: number
  readonly input: number
  readonly output: number
}

/** A kind of token with its own price, something that is counted in another unit, or an upstream call before the one that answered. */
export type CostName = ItemName | 'attempt'

/**
 * What an answer costs by its card. The tier is chosen by the size of the whole prompt, cached tokens included, for all items. Undefined
 * if the card has no price for any of it, also under the terms of the answer: an unknown price is not a price of zero.
 */
export function costOf(card: Card, billed: Billed): Cost | undefined {
  const table = card.prices === undefined ? undefined : tableUnder(card, billed)
  if (table === undefined) return undefined
  const { items, unpriced, ...sum } = priceItems(card, billed, table)
  if (items.length === 0 && unpriced.length > 0) return undefined
  return { ...sum, items, ...(unpriced.length === 0 ? {} : { unpriced }) }
}

/**
 * What an answer can cost at most: its price, with the card's ceiling for the items without one. Undefined if an item has neither.
 */
export function ceilingOf(card: Card, billed: Billed): Cost | undefined {
  const { prices, ceiling } = card
  const table = prices === undefined && ceiling === undefined ? undefined : tableUnder(card, billed)
  if (table === undefined) return undefined
  const { unpriced, ...cost } = priceItems(card, billed, table, table.ceiling)
  return unpriced.length === 0 ? cost : undefined
}

function priceItems(
  card: Card,
  billed: Billed,
  table: PriceTable,
  ceiling?: Card['ceiling'],
): Cost & { readonly unpriced: readonly CostName[] } {
  const most = ceiling && { prices: ceiling }
  const hasPrice = (item: string): boolean =>
    listOf(table, item).length > 0 || (most !== undefined && listOf(most, item).length > 0)
  const buckets = bucketsOf(billed, card, hasPrice)
  const sizes = sizesOf(buckets)
  const items: CostItem[] = []
  const unpriced: CostName[] = []
  let total = 0
  let isCeiling = false
  for (const [name, quantity] of quantitiesOf(buckets, billed, card, hasPrice)) {
    const exact = priceOf(name, table, sizes, billed)
    const price = exact ?? (most && priceOf(name, most, sizes, billed))
    if (price === undefined) {
      unpriced.push(name)
      continue
    }
    if (exact === undefined) isCeiling = true
    const exactly = nanosOf(quantity, price, price.unit === 'perMTokens' ? table.factors : undefined)
    const nanos = Math.min(MOST_NANOS, exactly)
    items.push({ name, quantity, nanos })
    total += nanos
  }
  return {
    total,
    items,
    ...(card.priceVersion === undefined ? {} : { version: card.priceVersion }),
    unpriced,
    ...(billed.estimated === true ? { estimated: true } : {}),
    ...(isCeiling ? { ceiling: true } : {}),
  }
}

/** 100,000 dollars. No item of a call costs that much, and the sums of thousands of calls that did are still exact in every store. */
const MOST_NANOS = 1e14

/** The sizes that choose a tier, in tokens. */
interface Sizes {
  readonly prompt: number
  readonly completion: number
}

function sizesOf(buckets: Buckets): Sizes {
  const sum = (names: readonly Bucket[]): number => names.reduce((all, name) => all + (buckets[name] ?? 0), 0)
  return { prompt: sum(INPUT_BUCKETS), completion: sum(OUTPUT_BUCKETS) }
}

function priceOf(name: ItemName, table: PriceTable, sizes: Sizes, facts: PriceFacts): Price | undefined {
  const unit = unitOf(name)
  for (const item of PRICES_OF[name]) {
    const price = listOf(table, item).find((each) => each.unit === unit && applies(each, sizes, facts))
    if (price !== undefined) return price
  }
  return undefined
}

/** Prices that model lists cannot express come first: they are more exact than the listed price of the same item. */
function listOf({ prices, otherPrices }: PriceTable, item: string): readonly Price[] {
  const listed = prices?.[item] ?? NO_PRICES
  const exact = otherPrices?.[item] ?? NO_PRICES
  return exact.length === 0 ? listed : [...exact, ...listed]
}

const NO_PRICES: readonly Price[] = []

/**
 * The price of a quantity in nano-dollars, rounded once, half up. The arithmetic is exact, as products of binary fractions can fall on
 * the wrong side of a half. Prices with up to six decimals, as vendors write them, need no large integers. With factors, the price is
 * multiplied by each of them before it is rounded.
 */
export function nanosOf(quantity: number, price: Price, factors: readonly number[] = []): number {
  const small = factors.length === 0 ? smallNanos(quantity, price) : undefined
  return small ?? largeNanos(quantity, price, factors)
}

/** Millionths of the unit, so that the price is a whole number. */
const MICRO = 1_000_000
/** Up to here a quotient by 1,000 is rounded down correctly. */
const MOST = 1e14

function smallNanos(quantity: number, { value, unit }: Price): number | undefined {
  const micros = Math.round(value * MICRO)
  const product = quantity * micros
  if (micros / MICRO !== value || !Number.isInteger(quantity) || product > MOST / 1000) return undefined
  return unit === 'perMTokens' ? Math.floor((product + 500) / 1000) : product * 1000
}

/** The nano-dollars in a price of one dollar, by its unit. */
const NANOS_OF: { readonly [unit in Price['unit']]: bigint } = {
  perMTokens: 1000n,
  perCount: 1_000_000_000n,
  perSecond: 1_000_000_000n,
  perMegapixel: 1_000_000_000n,
}

export function largeNanos(quantity: number, { value, unit }: Price, factors: readonly number[] = []): number {
  const decimals = [quantity, value, ...factors].map(decimalOf)
  const scale = decimals.reduce((product, each) => product * each.scale, 1n)
  const product = decimals.reduce((all, { digits }) => all * digits, NANOS_OF[unit])
  return Number((product * 2n + scale) / (scale * 2n))
}

interface Decimal {
  readonly digits: bigint
  /** The power of ten that the digits are divided by. */
  readonly scale: bigint
}

/** The decimal number that is written in a card or an answer, not its binary approximation. */
function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return shift < 0 ? { digits, scale: 10n ** BigInt(-shift) } : { digits: digits * 10n ** BigInt(shift), scale: 1n }
}
