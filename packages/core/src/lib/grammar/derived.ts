import type * as z from 'zod/v4/core'
import { isObject, type JsonObject } from '../json.ts'
import { kindsOf } from './schema.ts'

/** The functions derived from one schema of a grammar. */
export interface Derived {
  /** Whether a value is valid. Allocates nothing. */
  readonly fits: (value: unknown) => boolean
  /** Whether a value is meant for this schema, rather than for another one of a union. */
  readonly claims: (value: unknown) => boolean
  /** The functions for the kind of an object that names its kind in a member; undefined for an unknown kind. */
  readonly kindOf?: (value: unknown) => Derived | undefined
  /** The first problem with a value, with the message of the schema. */
  readonly find: (value: unknown) => Issue | undefined
  /** The value without its named members that are null; the same value if there are none. */
  readonly withoutNulls: (value: unknown) => unknown
}

/** Derives from a schema inside another one. */
export type Derive = (schema: z.$ZodType) => Derived

/** A problem, and the path to it. */
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** For a value without members. */
export function deriveLeaf(schema: z.$ZodType, fits: Derived['fits'], claims = fits): Derived {
  return {
    fits,
    claims,
    find: (value) => (fits(value) ? undefined : issueOf(schema._zod.def, value)),
    withoutNulls: same,
  }
}

const same = (value: unknown): unknown => value

/** The definition of a schema, by its type. */
export function defOf(schema: z.$ZodType): z.$ZodTypes['_zod']['def'] {
  return (schema as z.$ZodTypes)._zod.def // zod has no others
}

/** Whether the keys of an object are data, and its values of one kind. */
export function isMap(def: z.$ZodObjectDef): def is z.$ZodObjectDef & { catchall: z.$ZodType } {
  return def.catchall !== undefined && def.catchall._zod.def.type !== 'unknown'
}

/** A problem as zod describes it. */
interface Facts {
  readonly path?: readonly PropertyKey[]
  readonly [fact: string]: unknown
}

/** A problem with an invalid value, with the message that the schema or the condition has for zod. */
export function issueOf(
  { error }: Pick<z.$ZodTypeDef, 'error'>,
  input: unknown,
  facts: Facts = { code: 'invalid_type' },
): Issue {
  const words = error?.({ input, ...facts } as never) // the fields that zod passes to it
  return { path: facts.path ?? [], message: typeof words === 'string' ? words : 'is not valid' }
}

/** The problem of the first member that has one, and the path to it. */
function firstIssue<Key extends string | number>(
  keys: Iterable<Key>,
  find: (key: Key) => Issue | undefined,
): Issue | undefined {
  for (const key of keys) {
    const issue = find(key)
    if (issue !== undefined) return { ...issue, path: [key, ...issue.path] }
  }
  return undefined
}

/** A list. The search for a problem ends at the first invalid item, so a long invalid list costs no more than one item. */
export function deriveList(schema: z.$ZodType, item: Derived): Derived {
  return {
    fits: (value) => Array.isArray(value) && value.every(item.fits),
    claims: Array.isArray,
    find: (value) =>
      Array.isArray(value)
        ? firstIssue(value.keys(), (index) => item.find(value[index]))
        : issueOf(schema._zod.def, value),
    withoutNulls: (value) => {
      if (!Array.isArray(value)) return value
      const given: readonly unknown[] = value
      const items = given.map(item.withoutNulls)
      return items.every((each, index) => each === given[index]) ? given : items
    },
  }
}

/** An object whose keys are data. A key with null counts as absent. */
export function deriveMap(schema: z.$ZodType, item: Derived): Derived {
  return {
    fits: (value) => isObject(value) && Object.values(value).every(item.fits),
    claims: isObject,
    find: (value) =>
      isObject(value)
        ? firstIssue(Object.keys(value), (key) => item.find(value[key]))
        : issueOf(schema._zod.def, value),
    withoutNulls: (value) => {
      if (!isObject(value)) return value
      const entries = Object.entries(value)
      const kept = entries
        .filter(([, each]) => each !== null)
        .map(([key, each]) => [key, item.withoutNulls(each)] as const)
      const isSame = kept.length === entries.length && kept.every(([key, each]) => each === value[key])
      return isSame ? value : Object.fromEntries(kept)
    },
  }
}

/** A member of an object: the schema inside `optional` and `nullable`, which the object handles itself. */
interface Member {
  readonly inner: Derived
  readonly optional: boolean
  readonly nullable: boolean
}

type Members = ReadonlyMap<string, Member>

export function deriveObject(schema: z.$ZodType, shape: z.$ZodShape, derive: Derive): Derived {
  const members: Members = new Map(Object.entries(shape).map(([name, each]) => [name, deriveMember(each, derive)]))
  const needed = [...members.values()].filter(({ optional }) => !optional).length
  // Walks over the existing members, because most optional ones are absent.
  const fits = (value: unknown) => {
    if (!isObject(value)) return false
    let missing = needed
    for (const key in value) {
      const member = members.get(key)
      const given = value[key]
      if (member === undefined || given === undefined) continue
      if (given === null ? !member.nullable : !member.inner.fits(given)) return false
      if (!member.optional) missing--
    }
    return missing === 0
  }
  return {
    fits,
    claims: isObject,
    find: (value) => (isObject(value) ? findIn(value, members) : issueOf(schema._zod.def, value)),
    withoutNulls:
      members.size === 0 ? same : (value) => (isObject(value) ? membersWithoutNulls(value, members) : value),
  }
}

function deriveMember(schema: z.$ZodType, derive: Derive): Member {
  const def = defOf(schema)
  if (def.type === 'optional') return { ...deriveMember(def.innerType, derive), optional: true }
  if (def.type === 'nullable') return { ...deriveMember(def.innerType, derive), nullable: true }
  const inner = derive(schema)
  return { inner, optional: false, nullable: def.type === 'unknown' && inner.fits(null) }
}

/** The first problem, in the order of the grammar. */
function findIn(value: JsonObject, members: Members) {
  return firstIssue(members.keys(), (name) => {
    const { inner, optional, nullable } = members.get(name) as Member // by its own name
    const given = value[name]
    const isAbsent = (optional && given === undefined) || (nullable && given === null)
    return isAbsent ? undefined : inner.find(given)
  })
}

/** The object without optional members that are null; the same object if there are none. */
function membersWithoutNulls(value: JsonObject, members: Members): object {
  let changes: Map<string, unknown> | undefined
  for (const key in value) {
    const member = members.get(key)
    if (member === undefined) continue
    const before = value[key]
    const after = before === null ? (member.optional ? undefined : null) : member.inner.withoutNulls(before)
    if (after !== before) (changes ??= new Map()).set(key, after)
  }
  if (changes === undefined) return value
  const entries = Object.entries(value).map(([key, each]) => [key, changes.has(key) ? changes.get(key) : each] as const)
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

/** An object with a member that names its kind. */
export function deriveTagged(schema: z.$ZodType, tag: string, options: readonly z.$ZodType[], derive: Derive): Derived {
  const kinds = new Map<unknown, Derived>()
  for (const option of options) for (const kind of kindsOf(option, tag)) kinds.set(kind, derive(option))
  // A null tag counts as absent.
  const kindOf = (value: unknown) => (isObject(value) ? kinds.get(value[tag] ?? undefined) : undefined)
  return {
    kindOf,
    fits: (value) => kindOf(value)?.fits(value) === true,
    claims: (value) => kindOf(value) !== undefined,
    find: (value) => {
      const kind = kindOf(value)
      return kind === undefined ? issueOf(schema._zod.def, value) : kind.find(value)
    },
    withoutNulls: (value) => {
      const kind = kindOf(value)
      return kind === undefined ? value : kind.withoutNulls(value)
    },
  }
}

/** The first option that matches a value decides; if none matches, the last. */
export function deriveUnion(options: readonly Derived[]): Derived {
  const last = options.at(-1)
  if (last === undefined) throw new Error('A union has options.')
  const pick = (value: unknown) => {
    for (const option of options) {
      const found = option.kindOf === undefined ? (option.claims(value) ? option : undefined) : option.kindOf(value)
      if (found !== undefined) return found
    }
    return last
  }
  return {
    fits: options.slice(0, -1).reduceRight(fitsOr, last.fits),
    claims: (value) => pick(value).claims(value),
    find: (value) => pick(value).find(value),
    withoutNulls: (value) => pick(value).withoutNulls(value),
  }
}

/** The check of an option for values that it matches, and of the others for the rest. */
function fitsOr(others: Derived['fits'], { kindOf, claims, fits }: Derived): Derived['fits'] {
  if (kindOf !== undefined) {
    return (value) => {
      const kind = kindOf(value)
      return kind === undefined ? others(value) : kind.fits(value)
    }
  }
  if (claims === fits) return (value) => fits(value) || others(value)
  return (value) => (claims(value) ? fits(value) : others(value))
}
