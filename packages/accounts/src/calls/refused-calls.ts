import { isLateBatch } from '../store/late-batch.ts'
import type { Settlement, Store } from '../store/store.ts'

/**
 * Calls that were refused because the store had failed, and that it may have opened nevertheless: only the answer was lost. Unless they are
 * closed, they are charged when their instance ends.
 */
export interface RefusedCalls {
  readonly instance: string
  /** Greater than that of the batch that has failed, and less than that of the next one. */
  readonly number: number
  readonly settlements: readonly Settlement[]
}

/** Remembers such calls beyond the end of the process, until they are closed. */
export interface RefusedMemory {
  /** Called before their callers get the answer. What it throws is reported, and changes nothing. */
  keep(this: void, refused: RefusedCalls): void
  /** All of them are closed. */
  clear(this: void): void
}

/** How long the store waits for the rest of the instance, which has ended. */
const TTL_MS = 30_000

/**
 * Closes calls that an instance has refused before it ended, without a charge, and takes back one that was made. Has no effect if the instance
 * has sent a later batch: then it has closed them itself.
 */
export async function closeRefused(store: Pick<Store, 'commit'>, refused: RefusedCalls): Promise<void> {
  try {
    await store.commit({ ...refused, ttlMs: TTL_MS, slices: [], openings: [] })
  } catch (thrown) {
    if (!isLateBatch(thrown)) throw thrown
  }
}
