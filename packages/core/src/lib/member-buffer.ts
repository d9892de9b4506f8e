import type { JsonObject } from './json.ts'

/** Members that arrive a few at a time. Copying all of them for each piece would take quadratic time. */
export interface MemberBuffer {
  add(members: object): void
  /** All of them; undefined if nothing was added. */
  object(): JsonObject | undefined
}

/** The last value of a member counts. */
export function createMemberBuffer(): MemberBuffer {
  return gather(() => true)
}

/** The same for counts: null does not replace a number. `added` is called for each report. */
export function createCounts(added?: () => void): MemberBuffer {
  return gather((value, isPresent) => value !== null || !isPresent, added)
}

function gather(counts: (value: unknown, isPresent: boolean) => boolean, added?: () => void): MemberBuffer {
  let all: Map<string, unknown> | undefined
  return {
    add(members) {
      all ??= new Map()
      for (const key of Object.keys(members)) {
        const value = (members as JsonObject)[key] // its own key
        if (counts(value, all.has(key))) all.set(key, value)
      }
      added?.()
    },
    // Built from entries, never by assignment: a `__proto__` key would take effect.
    object: () => (all === undefined ? undefined : (Object.fromEntries(all) as JsonObject)), // of parsed JSON
  }
}
