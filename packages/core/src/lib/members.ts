import type { Json, JsonObject } from './json.ts'

/** A value that is being built: on hot paths members are set one by one, because a spread per member costs more. */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] }

type Defined<T> = {
  [Key in keyof T as null extends T[Key] ? never : undefined extends T[Key] ? never : Key]: T[Key]
} & { [Key in keyof T as null extends T[Key] ? Key : undefined extends T[Key] ? Key : never]?: NonNullable<T[Key]> }

/**
 * Copies the members that are neither null nor undefined to `onto`. For our own objects, never for extras. A spread between the members
 * of an object literal costs more than the loop.
 */
export function defined<const T extends object, Onto extends object = object>(
  members: T,
  onto?: Onto,
): Defined<T> & Onto {
  const result: { [member: string]: unknown } = onto === undefined ? {} : { ...onto }
  for (const member in members) {
    const value = members[member] // read once: that costs most
    if (value != null) result[member] = value
  }
  return result as Defined<T> & Onto // null and undefined are filtered out
}

/** By member: whether a value has no effect. */
export type Neutral = { readonly [member: string]: (value: Json) => boolean }

/** The object without the members that have no effect; the same object if it has none. */
export function withoutNeutral(object: JsonObject, neutral: Neutral): JsonObject {
  let found: string[] | undefined
  for (const member in neutral) {
    const value = object[member]
    if (value !== undefined && neutral[member]?.(value) === true) (found ??= []).push(member)
  }
  if (found === undefined) return object
  return Object.fromEntries(Object.entries(object).filter(([member]) => !found.includes(member)))
}

/** A test for one value without effect. */
export function exactly(neutral: string | number | boolean): (value: Json) => boolean {
  return (value) => value === neutral
}

/** Members that arrive a few at a time. Copying all of them for each piece would take quadratic time. */
export interface MemberBuffer {
  add(members: object): void
  /** All of them; undefined if nothing was added. */
  object(): JsonObject | undefined
}

/** The last value of a member counts. */
export function createMemberBuffer(): MemberBuffer {
  return gather(() => true)
}

/** The same for counts: null does not replace a number. `added` is called for each report. */
export function createCounts(added?: () => void): MemberBuffer {
  return gather((value, isPresent) => value !== null || !isPresent, added)
}

function gather(counts: (value: unknown, isPresent: boolean) => boolean, added?: () => void): MemberBuffer {
  let all: Map<string, unknown> | undefined
  return {
    add(members) {
      all ??= new Map()
      for (const key of Object.keys(members)) {
        const value = (members as JsonObject)[key] // its own key
        if (counts(value, all.has(key))) all.set(key, value)
      }
      added?.()
    },
    // Built from entries, never by assignment: a `__proto__` key would take effect.
    object: () => (all === undefined ? undefined : (Object.fromEntries(all) as JsonObject)), // of parsed JSON
  }
}

/** Members of a wire object with other names in the IR, if their values pass the test. */
export type Members<Wire, Ours> = {
  readonly [Member in keyof Wire & string]?: readonly [name: keyof Ours & string, fits: (value: unknown) => boolean]
}

/** The members under our names, and the rest. */
export function decodeMembers<Wire, Ours>(
  wire: object,
  members: Members<Wire, Ours>,
): { readonly ours: Partial<Draft<Ours>>; readonly rest: JsonObject } {
  const ours: { [name: string]: unknown } = {}
  const rest: [string, unknown][] = []
  for (const member in wire) {
    const value = (wire as { readonly [member: string]: unknown })[member] // a member of its own
    const known = Object.hasOwn(members, member) ? members[member as keyof Wire & string] : undefined
    if (known?.[1](value) === true) ours[known[0]] = value
    else rest.push([member, value])
  }
  return { ours: ours as Partial<Draft<Ours>>, rest: Object.fromEntries(rest) as JsonObject } // of parsed JSON
}

/** The same members under their wire names. */
export function encodeMembers<Wire, Ours>(ours: Ours, members: Members<Wire, Ours>): Partial<Wire> {
  const entries: [string, unknown][] = []
  for (const [member, pair] of Object.entries<Members<Wire, Ours>[keyof Wire & string]>(members)) {
    const value = pair === undefined ? undefined : ours[pair[0]]
    if (value !== undefined) entries.push([member, value])
  }
  return Object.fromEntries(entries) as Partial<Wire> // the table names its members
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

export function isList(value: unknown): boolean {
  return Array.isArray(value)
}
