import type { CallRecord } from '@dragoman/accounts/store'

type Items = CallRecord['items']

/** The first byte says how quantities and prices follow. */
const WHOLE = 1
const FRACTIONS = 2

/** The names of the items of a cost, which are the same for most calls of a route. */
export function namesOfItems(items: Items): string {
  return JSON.stringify(items.map(({ name }) => name))
}

/** Quantity and nano-dollars of each item, in hexadecimal. Whole numbers have seven bits in each byte, so most take two or three. */
export function packItems(items: Items): string {
  const numbers = items.flatMap(({ quantity, nanos }) => [quantity, nanos])
  const areWhole = numbers.every((number) => Number.isSafeInteger(number) && number >= 0 && !Object.is(number, -0))
  const bytes = areWhole
    ? [WHOLE, ...numbers.flatMap(bytesOf)]
    : [FRACTIONS, ...new Uint8Array(Float64Array.from(numbers).buffer)]
  return Buffer.from(bytes).toString('hex')
}

export function unpackItems(names: string, hex: string): Items {
  const [kind, ...bytes] = Buffer.from(hex, 'hex')
  const numbers = kind === WHOLE ? wholeNumbers(bytes) : [...new Float64Array(Uint8Array.from(bytes).buffer)]
  return (JSON.parse(names) as Items[number]['name'][]).map((name, index) => {
    // Written by namesOfItems.
    return { name, quantity: numbers[index * 2] ?? 0, nanos: numbers[index * 2 + 1] ?? 0 }
  })
}

/** Divisions instead of shifts, which have 32 bits. */
function bytesOf(number: number): number[] {
  const bytes: number[] = []
  let rest = number
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
  return bytes
}

function wholeNumbers(bytes: readonly number[]): number[] {
  const numbers: number[] = []
  let number = 0
  let factor = 1
  for (const byte of bytes) {
    number += (byte % 128) * factor
    factor *= 128
    if (byte > 127) continue
    numbers.push(number)
    number = 0
    factor = 1
  }
  return numbers
}
