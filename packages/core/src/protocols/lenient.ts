import { DragomanError } from '../ir/error.ts'

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
  if (DragomanError.isInstance(error)) return error
  return new DragomanError('upstream', 'The upstream sent an answer that is none of its protocol.', { cause: error })
}
