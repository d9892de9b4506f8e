import type { BatchResult } from '../store/store.ts'
import { nothingOf, putBack, takeResult, type Group, type Queue } from './queue.ts'
import type { RefusedMemory } from './refused-calls.ts'

/** What happens to the calls of a group when the store has answered, or has failed. */
export interface GroupEnds {
  succeed(group: Group, result: BatchResult): void
  fail(group: Group): void
}

export interface GroupEndOptions {
  readonly instance: string
  /** Whether calls are served if the store fails. */
  readonly isServing: boolean
  readonly refused?: RefusedMemory | undefined
  readonly onFailed: (thrown: unknown) => void
}

export function createGroupEnds({ instance, isServing, refused, onFailed }: GroupEndOptions, queue: Queue): GroupEnds {
  /** Calls were refused that the store may have opened, and they are not closed yet. */
  let isKeeping = false
  const remember = (change: () => void): void => {
    try {
      change()
    } catch (thrown) {
      onFailed(thrown)
    }
  }
  return {
    succeed(group, result) {
      takeResult(queue, group, result)
      if (!isKeeping || queue.settled.some(({ isRefused }) => isRefused)) return
      isKeeping = false
      remember(() => refused?.clear())
    },
    fail(group) {
      if (!isServing && refused !== undefined && group.openings.length > 0) {
        isKeeping = true
        // The number is needed to close them later: the batch may still arrive, and must not open them again.
        const number = ++queue.sent
        // They are kept before their callers get the answer.
        remember(() => refused.keep({ instance, number, settlements: group.openings.map(nothingOf) }))
      }
      putBack(queue, group, isServing)
    },
  }
}
