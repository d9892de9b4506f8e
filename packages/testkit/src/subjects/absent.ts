import type { JsonObject } from '@dragoman/core'
import { same } from '../laws/same.ts'

/** The object without members that have one of these values, because they have no effect. */
export function withoutNeutral(wire: JsonObject, neutral: JsonObject): JsonObject {
  const isNeutral = (member: string) => Object.hasOwn(neutral, member) && same(wire[member], neutral[member])
  return Object.fromEntries(Object.entries(wire).filter(([member]) => !isNeutral(member)))
}
