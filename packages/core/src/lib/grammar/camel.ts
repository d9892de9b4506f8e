import type * as z from 'zod/v4/core'
import type { Json, JsonObject } from '../json.ts'
import { defOf, isMap } from './derived.ts'
import type { JsonLikeDef } from './schema.ts'

/** Deeper than any real request; deeper values are left unchanged. */
const DEEPEST = 200

/** The object with its known snake_case members renamed to camelCase; the same object if it has none. */
export function camelKeys(object: JsonObject, names: Names): JsonObject {
  return spell(object, names, 0) as JsonObject // the same members, under other names
}

function spell(value: Json, names: Names, depth: number): Json {
  if (typeof value !== 'object' || value === null || names === NO_NAMES || depth > DEEPEST) return value
  if (Array.isArray(value)) return spellItems(value as readonly Json[], names, depth)
  const { members, values } = names
  const object = value as JsonObject // neither null nor a list
  let changes: Map<string, readonly [name: string, value: Json]> | undefined
  for (const key in object) {
    const known = values ?? members?.get(key)
    const name = known === undefined ? nameOf(key, object, members) : key
    const inside = known ?? members?.get(name) ?? NO_NAMES
    if (inside === NO_NAMES && name === key) continue // the value is not read: that would cost more than all the rest
    const before = object[key] ?? null
    const after = spell(before, inside, depth + 1)
    if (name !== key || after !== before) (changes ??= new Map()).set(key, [name, after])
  }
  if (changes === undefined) return object
  return Object.fromEntries(Object.entries(object).map(([key, each]) => changes.get(key) ?? [key, each]))
}

/** Copied from the first item that changes. */
function spellItems(list: readonly Json[], names: Names, depth: number): readonly Json[] {
  let items: Json[] | undefined
  for (let index = 0; index < list.length; index++) {
    const before = list[index] ?? null
    const after = spell(before, names, depth + 1)
    if (after !== before) items ??= list.slice(0, index)
    items?.push(after)
  }
  return items ?? list
}

/** The camelCase form of a key, if it is known here and not present as well. */
function nameOf(key: string, object: JsonObject, members: Names['members']): string {
  if (!key.includes('_')) return key
  const twin = key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
  return members?.has(twin) && !Object.hasOwn(object, twin) ? twin : key
}

/** The names that a grammar knows inside a value. A value without names is data, such as an argument or a schema. */
interface Names {
  /** The names inside its members, by member; for a list, those of its items. */
  readonly members?: ReadonlyMap<string, Names>
  /** The names inside each value of an object whose keys are data. */
  readonly values?: Names
}

/** All names in a schema, recursively. */
export function namesOf(schema: z.$ZodType, made: Made = new Map()): Names {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return namesOf(def.innerType, made)
    case 'lazy':
      return namesOf(def.getter(), made)
    case 'array':
      return namesOf(def.element, made)
    case 'union':
      return def.options.map((option) => namesOf(option, made)).find((names) => names !== NO_NAMES) ?? NO_NAMES
    case 'object':
      return isMap(def)
        ? { values: namesOf(def.catchall, made) }
        : (made.get(schema) ?? namesOfObject(schema, def, made))
    default:
      return NO_NAMES
  }
}

const NO_NAMES: Names = {}

type Made = Map<z.$ZodType, Names>

function namesOfObject(schema: z.$ZodType, { shape, names }: JsonLikeDef, made: Made): Names {
  if (names !== undefined) return namesOf(names(), made)
  const entries = Object.entries(shape)
  if (entries.length === 0) return NO_NAMES
  const members = new Map<string, Names>()
  const known = { members }
  made.set(schema, known) // before its members, because one of them may contain the same schema again
  for (const [name, each] of entries) members.set(name, namesOf(each, made))
  return known
}
