import { DragomanError, asDragomanError } from '../ir/error.ts'
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
    const given = reader.withoutNulls(body)
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

/** Reads an upstream's answer. Whatever its shape, the worst result is one clear error. */
export function readAnswer<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asUpstreamError(error)
  }
}

/** Any error while reading a response, as an error of the upstream. */
export function asUpstreamError(error: unknown): DragomanError {
  return DragomanError.isInstance(error) ? error : notAnAnswer(error)
}

/** For a body without the members that every response of its protocol has: it belongs to another protocol, or is not a response. */
export function notAnAnswer(cause?: unknown): DragomanError {
  return new DragomanError('upstream', 'The upstream sent an answer that does not match its protocol.', { cause })
}

/**
 * Reads a request that may not have been checked. If it cannot be read, it is checked now, and that error names the JSON path. A
 * failure in spite of a valid check is an internal error.
 */
export function readRequest<T>(body: unknown, check: (body: unknown) => unknown, read: () => T): T {
  try {
    return refuseDepth(read)
  } catch (error) {
    if (!DragomanError.isInstance(error)) check(body)
    throw asDragomanError(error)
  }
}
