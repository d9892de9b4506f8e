import { asDragomanError, DragomanError } from '../ir/error.ts'
import { refuseDepth } from './check-body.ts'

/** Reads an upstream's response. Whatever its shape, the worst result is one clear error. */
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
