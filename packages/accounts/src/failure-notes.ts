import type { Store } from './store/store.ts'
import { UnstorableError } from './store/unstorable.ts'

/** A store that is lost fails for every call: one note in this time is enough. */
const SAME_FAILURE_MS = 10_000

/** Takes failures of a store, and passes on one of those that come together. Each call that the store refuses is named. */
export function createFailureNotes(
  { title }: Pick<Store, 'title'>,
  note: (text: string, thrown: unknown) => void,
  now: () => number = Date.now,
): (thrown: unknown) => void {
  let last = Number.NEGATIVE_INFINITY
  return (thrown) => {
    if (!UnstorableError.isInstance(thrown) && now() - last < SAME_FAILURE_MS) return
    last = now()
    note(`the store of keys and usage (${title}) fails`, thrown)
  }
}
