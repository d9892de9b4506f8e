import type { Awaitable, Store } from '@dragoman/accounts'
import { createManualClock, type ManualClock } from '@dragoman/gateway'

/** A driver under test. */
export interface StoreSubject {
  /** A new, empty store whose times are those of the clock. */
  readonly open: (clock: Pick<ManualClock, 'now'>) => Awaitable<Store>
  /** Another connection to the state of the store that was opened last. Absent if the state is inside the process. */
  readonly connect?: ((clock: Pick<ManualClock, 'now'>) => Awaitable<Store>) | undefined
}

/** Runs a test with a new store, and closes it. */
export async function withStore(
  { open }: StoreSubject,
  test: (store: Store, clock: ManualClock) => Promise<void>,
): Promise<void> {
  const clock = createManualClock(START)
  const store = await open(clock)
  try {
    await test(store, clock)
  } finally {
    await store.close()
  }
}

/** A Wednesday, half past an hour. */
export const START = Date.UTC(2026, 10, 18, 10, 30)
