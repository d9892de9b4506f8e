const NANO_PLACES = 9

/** Nano-dollars of an amount in dollars: `12`, `"0.5"`. Undefined if it is no amount, finer than a nano-dollar, or above nine million. */
export function nanosOf(dollars: string | number): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,7})(?:\.(\d{1,9}))?$/.exec(String(dollars)) ?? []
  if (whole === undefined) return undefined
  const nanos = Number(whole + fraction.padEnd(NANO_PLACES, '0'))
  return Number.isSafeInteger(nanos) ? nanos : undefined
}

/** An exact amount in dollars, without needless zeros: `0.5`. */
export function dollarsOf(nanos: number | bigint): string {
  const value = BigInt(nanos)
  const digits = String(value < 0n ? -value : value).padStart(NANO_PLACES + 1, '0')
  const fraction = digits.slice(-NANO_PLACES).replace(/0+$/, '')
  const whole = digits.slice(0, -NANO_PLACES)
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
