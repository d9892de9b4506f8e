import { asDragomanError, DragomanError } from '@dragoman/core'

/** The error for anything that the processing of a body throws. A RangeError means that the body is nested too deeply. */
export function faultOf(thrown: unknown): DragomanError {
  if (!(thrown instanceof RangeError)) return asDragomanError(thrown)
  return new DragomanError('invalid-request', 'The body is nested too deeply.', { cause: thrown })
}
