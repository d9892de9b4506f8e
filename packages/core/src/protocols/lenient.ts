import { asDragomanError, DragomanError } from '../ir/error.ts'
import { refuseDepth } from './check-body.ts'

/** Reads an upstream's answer: whatever shape it has, the worst that can happen is one clear error. */
export function readAnswer<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asUpstreamError(error)
  }
}

/** Anything thrown while an answer was read, as an error of the upstream. */
export function asUpstreamError(error: unknown): DragomanError {
  return DragomanError.isInstance(error) ? error : notAnAnswer(error)
}

/** For an answer that has none of the members that every answer of its protocol has: it is one of another protocol, or none. */
export function notAnAnswer(cause?: unknown): DragomanError {
  return new DragomanError('upstream', 'The upstream sent an answer that is none of its protocol.', { cause })
}

/**
 * Reads a request that may not have been checked. One that cannot be read is checked now: that error names the JSON path. What
 * fails in spite of a good check is our own fault.
 */
export function readRequest<T>(body: unknown, check: (body: unknown) => unknown, read: () => T): T {
  try {
    return refuseDepth(read)
  } catch (error) {
    if (!DragomanError.isInstance(error)) check(body)
    throw asDragomanError(error)
  }
}
