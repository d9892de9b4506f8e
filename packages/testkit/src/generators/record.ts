import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T]

/** An arbitrary for every required member. */
export type Always<T> = { readonly [K in Exclude<keyof T, OptionalKey<T>>]: Arbitrary<T[K]> }
/** An arbitrary for every optional member; `never` for one that does not occur. */
export type Sometimes<T> = { readonly [K in OptionalKey<T>]-?: Arbitrary<Exclude<T[K], undefined>> | typeof never }

/** For members that the caller fills in. */
export const never = Symbol('never generated')

/**
 * An object of type T. The compiler requires an arbitrary for every member, so a new member of the IR cannot be forgotten here:
 *   record<CacheMark>({}, { ttl: fc.constantFrom('5m', '1h') })
 */
export function record<T extends object>(always: Always<T>, sometimes: Sometimes<T>): Arbitrary<T> {
  const model: { [key: string]: Arbitrary<unknown> } = {}
  for (const [key, arbitrary] of Object.entries<Arbitrary<unknown>>(always)) model[key] = arbitrary
  for (const [key, arbitrary] of Object.entries<Arbitrary<unknown> | typeof never>(sometimes)) {
    if (arbitrary !== never) model[key] = maybe(arbitrary, WEIGHT_OF[key] ?? 3)
  }
  return fc.record(model).map((members) => withoutAbsent(members) as T) // the model has the members of T
}

/** Usually absent; present in `weight` of ten cases. */
export function maybe<T>(arbitrary: Arbitrary<T>, weight = 3): Arbitrary<T | undefined> {
  return fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary })
}

/** Removes members whose value is undefined. */
export function withoutAbsent<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T // absent members are undefined
}

/** Rare members, so that most generated values look like real ones. */
const WEIGHT_OF: { readonly [key: string]: number } = { extras: 1, item: 1, cache: 2, seal: 1, name: 2 }
