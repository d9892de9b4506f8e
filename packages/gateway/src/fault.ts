import { asDragomanError, DragomanError } from '@dragoman/core'

/** Anything thrown by a step that works through a body. Only nesting exhausts its stack. */
export function faultOf(thrown: unknown): DragomanError {
  if (!(thrown instanceof RangeError)) return asDragomanError(thrown)
  return new DragomanError('invalid-request', 'The body is nested too deeply.', { cause: thrown })
}
