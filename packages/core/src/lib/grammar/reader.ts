import type * as z from 'zod/v4/core'
import { createDerive } from './derive.ts'
import type { Derived } from './derived.ts'

/** A problem with a value, and its path. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** Reads values by a grammar. */
export interface Reader {
  /** Whether a value is valid: the same result as zod's, without its copies. */
  readonly fits: (value: unknown) => boolean
  /** The first problem, with the message of the grammar; undefined if the value is valid. */
  readonly findProblem: (value: unknown) => Problem | undefined
  /** The value without its named members that are null, also nested ones; the same value if there are none. */
  readonly bare: (value: unknown) => unknown
}

/** Everything is derived from the schema when the first value is checked. */
export function createReader(schema: z.$ZodType): Reader {
  let derived: Derived | undefined
  const ready = () => (derived ??= createDerive()(schema))
  return {
    fits: (value) => ready().fits(value),
    findProblem: (value) => {
      const issue = ready().find(value)
      return issue && { path: issue.path.join('.'), message: issue.message }
    },
    bare: (value) => ready().bare(value),
  }
}
