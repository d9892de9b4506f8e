import { packWhole, unpackWhole, type CallRecord, type PackedNumbers } from '@dragoman/accounts/store'
import type { Names } from './names.ts'

type Items = CallRecord['items']

const NOTHING = new Uint8Array(0)
/** Marks a quantity that is not a whole number and takes eight bytes. */
const FRACTION = 0

/** Items as bytes: for each its name, its quantity, and its price. */
export function packItems(items: Items, names: Names): Uint8Array {
  if (items.length === 0) return NOTHING
  const bytes: number[] = []
  for (const { name, quantity, nanos } of items) {
    packWhole(bytes, names.idOf(name))
    if (Number.isSafeInteger(quantity) && quantity >= 0 && quantity < Number.MAX_SAFE_INTEGER)
      packWhole(bytes, quantity + 1)
    else bytes.push(FRACTION, ...bytesOf(quantity))
    packWhole(bytes, nanos)
  }
  return new Uint8Array(bytes)
}

export function unpackItems(bytes: Uint8Array, names: Names): Items {
  const reader = { bytes, at: 0 }
  const items: Items[number][] = []
  while (reader.at < bytes.length) {
    const name = names.nameOf(unpackWhole(reader)) as Items[number]['name'] // as it was packed
    items.push({ name, quantity: pullQuantity(reader), nanos: unpackWhole(reader) })
  }
  return items
}

function pullQuantity(reader: PackedNumbers): number {
  const whole = unpackWhole(reader)
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
