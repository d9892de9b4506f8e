import { DragomanError } from '@dragoman/core'

export function largerAnswer(): DragomanError {
  return new DragomanError('upstream', 'The upstream gave a larger answer than the gateway takes.')
}
