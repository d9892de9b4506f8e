import type { Awaitable, Store } from '@dragoman/accounts'

/** A clock that stands still until a test moves it. */
export interface ManualClock {
  now(this: void): number
  advance(ms: number): void
  set(at: number): void
}

/** A driver under test. */
export interface StoreSubject {
  /** A new, empty store whose times are those of the clock. */
  readonly open: (clock: Pick<ManualClock, 'now'>) => Awaitable<Store>
  /** Another connection to the state of the store that was opened last. Absent if the state is inside the process. */
  readonly connect?: ((clock: Pick<ManualClock, 'now'>) => Awaitable<Store>) | undefined
}

export function createManualClock(start: number): ManualClock {
  let time = start
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
    set(at) {
      time = at
    },
  }
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
