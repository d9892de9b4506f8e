import { DragomanError } from '@dragoman/core'

/** For handlers of whole answers. */
export function noStream(): never {
  throw new DragomanError('internal', 'The answer is not a stream.')
}
