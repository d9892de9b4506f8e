const NANO_PLACES = 9
const AMOUNT = /^(-?)(\d{1,30})(?:\.(\d{1,9}))?$/

/**
 * Nano-dollars of an amount in dollars: `12`, `"0.5"`. Sums can exceed what a number is exact for. Undefined if it is not an amount, finer
 * than a nano-dollar, or has more than 30 digits before the point.
 */
export function nanosOf(dollars: string | number): bigint | undefined {
  const [, sign, whole, fraction = ''] = AMOUNT.exec(String(dollars)) ?? []
  if (whole === undefined) return undefined
  const nanos = BigInt(whole + fraction.padEnd(NANO_PLACES, '0'))
  return sign === '-' ? -nanos : nanos
}

/** Nano-dollars of a budget. Undefined if it is not an amount in dollars, negative, or above nine million. */
export function budgetOf(dollars: string | number): number | undefined {
  const nanos = nanosOf(dollars)
  return nanos === undefined || nanos < 0n || nanos > Number.MAX_SAFE_INTEGER ? undefined : Number(nanos)
}

/** An exact amount in dollars, without needless zeros: `0.5`. */
export function dollarsOf(nanos: number | bigint): string {
  const value = BigInt(nanos)
  const digits = String(value < 0n ? -value : value).padStart(NANO_PLACES + 1, '0')
  const fraction = digits.slice(-NANO_PLACES).replace(/0+$/, '')
  const whole = digits.slice(0, -NANO_PLACES)
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
