import type { CallRecord } from '@dragoman/accounts/store'
import type { Names } from './names.ts'

type Items = CallRecord['items']

const NOTHING = new Uint8Array(0)
/** Marks a quantity that is no whole number and takes eight bytes. */
const FRACTION = 0

/** Items as bytes: for each its name, its quantity, and its price. Whole numbers have seven bits in each byte, so most take one to three. */
export function packItems(items: Items, names: Names): Uint8Array {
  if (items.length === 0) return NOTHING
  const bytes: number[] = []
  for (const { name, quantity, nanos } of items) {
    push(bytes, names.idOf(name))
    if (Number.isSafeInteger(quantity) && quantity >= 0 && quantity < Number.MAX_SAFE_INTEGER) push(bytes, quantity + 1)
    else bytes.push(FRACTION, ...bytesOf(quantity))
    push(bytes, nanos)
  }
  return Uint8Array.from(bytes)
}

export function unpackItems(bytes: Uint8Array, names: Names): Items {
  const reader = { bytes, at: 0 }
  const items: Items[number][] = []
  while (reader.at < bytes.length) {
    const name = names.nameOf(pull(reader)) as Items[number]['name'] // as it was packed
    items.push({ name, quantity: pullQuantity(reader), nanos: pull(reader) })
  }
  return items
}

interface Reader {
  readonly bytes: Uint8Array
  at: number
}

function pullQuantity(reader: Reader): number {
  const whole = pull(reader)
  if (whole !== FRACTION) return whole - 1
  const { buffer, byteOffset } = reader.bytes
  reader.at += 8
  return new DataView(buffer, byteOffset + reader.at - 8, 8).getFloat64(0)
}

function bytesOf(fraction: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, fraction)
  return new Uint8Array(view.buffer)
}

/** Divisions instead of shifts, which have 32 bits. */
function push(bytes: number[], value: number): void {
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

function pull(reader: Reader): number {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.bytes[reader.at++]
    if (byte === undefined) throw new Error('The database is damaged: the items of a record are cut off')
    value += (byte % 128) * factor
    if (byte < 128) return value
  }
}
