import { isObject, type Json, type JsonObject } from './json.ts'

/** Which members of an object are known, and what is inside them. */
export interface Shape {
  /** Members by their camelCase names: what is inside, or undefined where nothing is read as ours. */
  readonly [member: string]: Shape | typeof LEAF | typeof MAP
}

/** The value is somebody else's: an argument, a schema of its own. */
export const LEAF = Symbol('leaf')
/** Keys are names of somebody else's; each value has the shape that the map stands in. */
export const MAP = Symbol('map')

/** Deeper than any request makes sense; what is below stays as it is. */
const DEEPEST = 200

/** The object with its known snake_case members under their camelCase names; the very same object when it has none. */
export function camelKeys(object: JsonObject, shape: Shape): JsonObject {
  return inObject(object, shape, 0)
}

function inObject(object: JsonObject, shape: Shape, depth: number): JsonObject {
  if (depth > DEEPEST) return object
  let changes: Map<string, readonly [name: string, value: Json]> | undefined
  for (const key in object) {
    const name = key.includes('_') ? nameOf(key, object, shape) : key
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined
    const before = object[key] ?? null
    const after =
      inner === undefined || inner === LEAF
        ? before
        : inValue(before, inner === MAP ? shape : inner, depth, inner === MAP)
    if (name !== key || after !== before) (changes ??= new Map()).set(key, [name, after])
  }
  if (changes === undefined) return object
  return Object.fromEntries(Object.entries(object).map(([key, value]) => changes.get(key) ?? [key, value]))
}

function inValue(value: Json, shape: Shape, depth: number, map: boolean): Json {
  if (Array.isArray(value)) return inList(value as readonly Json[], shape, depth)
  if (!isObject(value)) return value
  return map ? inMap(value, shape, depth) : inObject(value, shape, depth + 1)
}

/** Copied from the first item that changes. */
function inList(list: readonly Json[], shape: Shape, depth: number): readonly Json[] {
  let items: Json[] | undefined
  for (const [index, item] of list.entries()) {
    const after = isObject(item) ? inObject(item, shape, depth + 1) : item
    if (after !== item) items ??= list.slice(0, index)
    items?.push(after)
  }
  return items ?? list
}

function inMap(map: JsonObject, shape: Shape, depth: number): JsonObject {
  const entries = Object.entries(map).map(([key, item]): [string, Json] => [key, inValue(item, shape, depth, false)])
  return entries.some(([key, item]) => item !== map[key]) ? Object.fromEntries(entries) : map
}

/** The camelCase twin of a key, when that is known here and not said as well. */
function nameOf(key: string, object: JsonObject, shape: Shape): string {
  if (!key.includes('_')) return key
  const twin = key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
  return Object.hasOwn(shape, twin) && !Object.hasOwn(object, twin) ? twin : key
}
