import type * as z from 'zod/v4/core'
import { isObject } from '../json.ts'
import { firstIssue, issueOf, type Derived } from './derived.ts'

/** A list. The search for a problem ends at the first invalid item, so a long invalid list costs no more than one item. */
export function deriveList(schema: z.$ZodType, item: Derived): Derived {
  return {
    fits: (value) => Array.isArray(value) && value.every(item.fits),
    claims: Array.isArray,
    find: (value) =>
      Array.isArray(value)
        ? firstIssue(value.keys(), (index) => item.find(value[index]))
        : issueOf(schema._zod.def, value),
    bare: (value) => {
      if (!Array.isArray(value)) return value
      const given: readonly unknown[] = value
      const items = given.map(item.bare)
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
    bare: (value) => {
      if (!isObject(value)) return value
      const entries = Object.entries(value)
      const kept = entries.filter(([, each]) => each !== null).map(([key, each]) => [key, item.bare(each)] as const)
      const isBare = kept.length === entries.length && kept.every(([key, each]) => each === value[key])
      return isBare ? value : Object.fromEntries(kept)
    },
  }
}
