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
  let changed = false
  const entries: [string, Json][] = []
  for (const key of Object.keys(object)) {
    const before = object[key] ?? null
    const name = nameOf(key, object, shape)
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined
    const after =
      inner === undefined || inner === LEAF
        ? before
        : inner === MAP
          ? inMap(before, shape, depth)
          : inValue(before, inner, depth)
    changed ||= name !== key || after !== before
    entries.push([name, after])
  }
  return changed ? Object.fromEntries(entries) : object
}

function inValue(value: Json, shape: Shape, depth: number): Json {
  if (isObject(value)) return inObject(value, shape, depth + 1)
  if (!Array.isArray(value)) return value
  let changed = false
  const items = (value as readonly Json[]).map((item): Json => {
    const after = isObject(item) ? inObject(item, shape, depth + 1) : item
    changed ||= after !== item
    return after
  })
  return changed ? items : (value as Json) // Array.isArray forgets the type
}

function inMap(value: Json, shape: Shape, depth: number): Json {
  if (!isObject(value)) return value
  let changed = false
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const after = inValue(item, shape, depth)
    changed ||= after !== item
    return [key, after]
  })
  return changed ? Object.fromEntries(entries) : value
}

/** The camelCase twin of a key, when that is known here and not said as well. */
function nameOf(key: string, object: JsonObject, shape: Shape): string {
  if (!key.includes('_')) return key
  const twin = key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
  return Object.hasOwn(shape, twin) && !Object.hasOwn(object, twin) ? twin : key
}
