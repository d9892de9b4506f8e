import { packWhole, unpackWhole, type CallRecord } from '@dragoman/accounts/store'

type Items = CallRecord['items']

/** The first byte says how quantities and prices follow. */
const WHOLE = 1
const FRACTIONS = 2

/** The names of the items of a cost, which are the same for most calls of a route. */
export function namesOfItems(items: Items): string {
  return JSON.stringify(items.map(({ name }) => name))
}

/** Quantity and nano-dollars of each item, in hexadecimal. */
export function packItems(items: Items): string {
  const numbers = items.flatMap(({ quantity, nanos }) => [quantity, nanos])
  const areWhole = numbers.every((number) => Number.isSafeInteger(number) && number >= 0 && !Object.is(number, -0))
  const bytes = areWhole
    ? [WHOLE, ...packWholes(numbers)]
    : [FRACTIONS, ...new Uint8Array(Float64Array.from(numbers).buffer)]
  return Buffer.from(bytes).toString('hex')
}

export function unpackItems(names: string, hex: string): Items {
  const packed = Buffer.from(hex, 'hex')
  const bytes = Uint8Array.from(packed.subarray(1))
  const numbers = packed[0] === WHOLE ? unpackWholes(bytes) : [...new Float64Array(bytes.buffer)]
  return (JSON.parse(names) as Items[number]['name'][]).map((name, index) => {
    // Written by namesOfItems.
    return { name, quantity: numbers[index * 2] ?? 0, nanos: numbers[index * 2 + 1] ?? 0 }
  })
}

function packWholes(numbers: readonly number[]): number[] {
  const bytes: number[] = []
  for (const number of numbers) packWhole(bytes, number)
  return bytes
}

function unpackWholes(bytes: Uint8Array): number[] {
  const packed = { bytes, at: 0 }
  const numbers: number[] = []
  while (packed.at < bytes.length) numbers.push(unpackWhole(packed))
  return numbers
}
