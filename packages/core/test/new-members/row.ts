import type { JsonObject } from '../../src/lib/json.ts'
import type { Protocol } from '../../src/index.ts'

/** What becomes of a member or a kind toward one protocol: the part of the report that is about it, or the members that carry it. */
export interface Fate {
  /** The losses that name it: their kinds, where they are and their reasons. None if it is carried. */
  readonly losses?: readonly string[]
  /** Members of the body that is written. */
  readonly carried?: JsonObject
}

/** One thing that only one protocol has, in one body, and what becomes of it toward each protocol. */
export interface Row {
  readonly name: string
  readonly from: Protocol
  readonly body: JsonObject
  /** What a body of its own protocol still has after it was read and written. */
  readonly whole: JsonObject
  /** By protocol. */
  readonly others: { readonly [protocol: string]: Fate }
}

/** The same fate toward all others. */
export function everywhere(names: readonly string[], fate: Fate | ((protocol: string) => Fate)): Row['others'] {
  return Object.fromEntries(names.map((name) => [name, typeof fate === 'function' ? fate(name) : fate]))
}
