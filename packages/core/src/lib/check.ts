import { safeParse } from 'zod/v4/core'
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
  if (issue === undefined) return undefined
  const message = issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.message
  return { path: issue.path.join('.'), message }
}
