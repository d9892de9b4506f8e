import type * as z from 'zod/v4/core'
import { createDerive } from './derive.ts'
import type { Derived } from './derived.ts'

/** A problem with a value, and where it is. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** Reads values by a grammar. */
export interface Reader {
  /** Whether a value is what the grammar says: the same verdict as zod's, without its copies. */
  readonly fits: (value: unknown) => boolean
  /** The first problem, in the words of the grammar; undefined when the value fits. */
  readonly findProblem: (value: unknown) => Problem | undefined
  /** What a value says: a named member that is null says nothing, here and inside. The very same value when there is none. */
  readonly bare: (value: unknown) => unknown
}

/** Everything is derived from the schema, at the first look at a value. */
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
