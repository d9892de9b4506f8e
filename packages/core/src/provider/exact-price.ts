import type { Price } from '../ir/model.ts'

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
