import { decodeBase64, encodeBase64 } from '../lib/base64.ts'
import { isObject, parseJson } from '../lib/json.ts'
import type { Seal } from './seal.ts'

/** The seals of several parts in one byte field, for clients that keep only the signature of a call. */
export interface Bundle {
  /** The parts since the previous carrier, in order. */
  readonly before: readonly BundleEntry[]
  /** The seal of the carrier itself. */
  readonly own?: Seal
}

/** Reasoning, or a number of other parts. */
export type BundleEntry = number | BundledReasoning

/** Reasoning before a carrier: the length of its text, and the seal that the carrier has for it. */
export interface BundledReasoning {
  readonly length: number
  readonly hidden?: true
  readonly seal?: Seal
  /** It has a signature of its own. */
  readonly signed?: true
}

const MARK = 'dg1.*.'

/** The bundle as the value of a byte field. */
export function wrapBundle(bundle: Bundle): string {
  return encodeBase64(MARK + JSON.stringify(bundle))
}

/** Reads what `wrapBundle` has written. What a client has damaged is empty. */
export function unwrapBundle(base64: string): Bundle {
  const text = decodeBase64(base64)
  const found = text === undefined ? undefined : parseJson(text.slice(MARK.length))
  if (!isObject(found) || !Array.isArray(found['before']) || !found['before'].every(isEntry)) return { before: [] }
  const { before, own } = found
  return isSeal(own) ? { before, own } : { before }
}

function isEntry(value: unknown): value is BundleEntry {
  if (!isObject(value)) return isCount(value)
  const { length, hidden, signed, seal } = value
  return isCount(length) && isFlag(hidden) && isFlag(signed) && (seal === undefined || isSeal(seal))
}

function isFlag(value: unknown): value is true | undefined {
  return value === undefined || value === true
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isSeal(value: unknown): value is Seal {
  return isObject(value) && typeof value['issuer'] === 'string' && typeof value['value'] === 'string'
}
