import { safeParse, type $ZodIssue } from 'zod/v4/core'
import type { Schema } from './schema.ts'

/** A problem with a body, and where it is. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** The first problem in the sender's words, or undefined when the value fits: a predicate has the first look, zod the words. */
export function findProblem(schema: Schema, value: unknown): Problem | undefined {
  if (schema.fits(value)) return undefined
  const [issue] = safeParse(schema.zod(), value).error?.issues ?? []
  return issue === undefined ? undefined : { path: issue.path.join('.'), message: describe(issue) }
}

function describe(issue: $ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
  return issue.message
}
