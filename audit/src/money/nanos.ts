/** Nano-dollars of an amount in dollars, which is exact decimal text. */
export function nanosOf(dollars: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(dollars) ?? []
  if (whole === '') throw new Error(`No amount in dollars: ${JSON.stringify(dollars)}`)
  const nanos = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
  return sign === '' ? nanos : -nanos
}

/** An amount for people. */
export function dollarsOf(nanos: bigint): string {
  const [sign, digits] = nanos < 0n ? ['-', String(-nanos)] : ['', String(nanos)]
  const padded = digits.padStart(10, '0')
  return `${sign}$${padded.slice(0, -9)}.${padded.slice(-9)}`.replace(/0{1,7}$/, '')
}
