import type * as z from 'zod/v4/core'
import { isObject, type JsonObject } from '../json.ts'
import { defOf, firstIssue, issueOf, same, type Derive, type Derived } from './derived.ts'

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
    bare: members.size === 0 ? same : (value) => (isObject(value) ? bareOf(value, members) : value),
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
function bareOf(value: JsonObject, members: Members): object {
  let changes: Map<string, unknown> | undefined
  for (const key in value) {
    const member = members.get(key)
    if (member === undefined) continue
    const before = value[key]
    const after = before === null ? (member.optional ? undefined : null) : member.inner.bare(before)
    if (after !== before) (changes ??= new Map()).set(key, after)
  }
  if (changes === undefined) return value
  const entries = Object.entries(value).map(([key, each]) => [key, changes.has(key) ? changes.get(key) : each] as const)
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}
