import { DragomanError } from '../ir/error.ts'
import { isObject, type JsonObject } from '../lib/json.ts'
import type { Reader } from '../lib/grammar/reader.ts'

/**
 * Validates a body by a protocol's grammar; the error names the JSON path. A member that is null is one that was not given: what comes
 * back does not have it, unless its grammar takes null for a value.
 */
export function checkBody(reader: Reader, body: unknown): JsonObject {
  if (!isObject(body)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  return refuseDepth(() => {
    // Most bodies have no null: only an invalid one is searched for it.
    if (reader.fits(body)) return body
    const given = reader.bare(body)
    const problem = reader.findProblem(given)
    if (problem === undefined) return given as JsonObject // without some members, it is still one
    throw new DragomanError('invalid-request', `${problem.path}: ${problem.message}`, { param: problem.path })
  })
}

/**
 * Runs the processing of a request body. Data of callers, such as the arguments of a call, may be nested deeper than any recursive
 * function can go: that is an error of the caller. Every other error is thrown as it is.
 */
export function refuseDepth<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!isStackOverflow(error)) throw error
    throw new DragomanError('invalid-request', 'The body is nested too deeply.', { cause: error })
  }
}

/** V8 and JavaScriptCore throw a RangeError, which has other reasons too; SpiderMonkey says "too much recursion". */
function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|recursion/.test(error.message)
}
