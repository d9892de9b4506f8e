import { NO_NAMES, type Names } from './grammar/names.ts'
import type { Json, JsonObject } from './json.ts'

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
