import { DragomanError } from '../ir/error.ts'
import { findProblem } from '../lib/check.ts'
import { isObject, type JsonObject } from '../lib/json.ts'
import { bareOf, type Schema } from '../lib/schema.ts'

/**
 * Validates a body by a protocol's schema; the error names the JSON path. A member that is null is one that was not given: what comes
 * back does not have it, unless its schema takes null for a value.
 */
export function checkBody(schema: Schema, body: unknown): JsonObject {
  if (!isObject(body)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  return refuseDepth(() => {
    // Most bodies hold no null: only one that does not fit is looked through for it.
    if (schema.fits(body)) return body
    const given = bareOf(schema, body)
    const problem = findProblem(schema, given)
    if (problem === undefined) return given as JsonObject // without some members, it is still one
    throw new DragomanError('invalid-request', `${problem.path}: ${problem.message}`, { param: problem.path })
  })
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
