import type { Json, JsonObject } from './json.ts'

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
