import { DragomanError } from '../ir/error.ts'
import { findProblem } from '../lib/check.ts'
import { isObject, type JsonObject } from '../lib/json.ts'
import type { Schema } from '../lib/schema.ts'

/** Validates a body by a protocol's schema; the error names the JSON path. `hints` add what to do, by the last key of it. */
export function checkBody(
  schema: Schema,
  body: unknown,
  hints: { readonly [member: string]: string } = {},
): JsonObject {
  if (!isObject(body)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  const problem = refuseDepth(() => findProblem(schema, body))
  if (problem === undefined) return body
  const { path, message } = problem
  const key = path.slice(path.lastIndexOf('.') + 1)
  const hint = Object.hasOwn(hints, key) ? hints[key] : undefined
  const text = `${path}: ${message}${hint === undefined ? '' : ` (${hint})`}`
  throw new DragomanError('invalid-request', text, { param: path })
}

/** What is somebody else's, such as a call's arguments, may be nested deeper than anything that walks or writes it can go. */
export function refuseDepth<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new DragomanError('invalid-request', 'The body is nested too deeply.', { cause: error })
  }
}
