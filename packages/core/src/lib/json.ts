/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
/** A JSON object with unknown members. */
export type JsonObject = { readonly [key: string]: Json }

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** For responses of upstreams: the object, or an empty one. */
export function objectOf<T extends object>(value: T | null | undefined): Partial<T> {
  return isObject(value) ? value : {}
}

/** For responses of upstreams: the list, or an empty one. */
export function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [] // Array.isArray loses the type
}

/** For responses of upstreams: the string, or an empty one. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The same, or undefined. */
export function optionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** For responses of upstreams: the number, or undefined. JSON can express numbers that do not fit. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** True for an object without members. */
export function isEmpty(object: object): boolean {
  for (const _key in object) return false
  return true
}

/** Undefined for text that is not JSON; for any input. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json // the only place where unknown text becomes an unknown value
  } catch {
    return undefined
  }
}

/** Adds the members of `under` that `over` does not have, recursively in objects and never in arrays. `over` wins. */
export function merge<T extends object>(over: T, under: JsonObject | undefined): T {
  if (under === undefined) return over
  const mine = over as { readonly [key: string]: unknown } // read by keys that it has
  const added: [string, unknown][] = []
  for (const key of Object.keys(under)) {
    const own = Object.hasOwn(mine, key) ? mine[key] : undefined
    const theirs = under[key]
    if (own === undefined) added.push([key, theirs])
    else if (isObject(own) && isObject(theirs)) added.push([key, merge(own, theirs)])
  }
  return { ...over, ...Object.fromEntries(added) } // never by assignment: a `__proto__` key would take effect
}
