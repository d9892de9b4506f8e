import type { Clock } from '@dragoman/gateway'
import type { Awaitable, KeyStore } from '../store/store.ts'
import type { StoredKey } from '../store/stored-key.ts'

/** Learns which keys were changed. */
export interface KeySync {
  /**
   * Undefined if what is known is new enough. Otherwise a promise: whether it is by then. Calls keep it new: there is no timer.
   */
  refresh(): Promise<boolean> | undefined
}

/** After this time, a call starts a synchronization, and goes on. */
const SOON_MS = 2000
/** After this time, calls wait for it. Changes take effect within five seconds, and this leaves half a second to ask. */
const LATE_MS = 4500
/** While the store fails, not every call asks it. */
const PAUSE_MS = 500
const PAGE = 200

export function createKeySync(
  store: Pick<KeyStore, 'keysSince'>,
  clock: Pick<Clock, 'now'>,
  schedule: (run: () => void) => void,
  onFailed: (thrown: unknown) => void,
  onChanged: (keys: readonly StoredKey[]) => void,
): KeySync {
  let revision = 0
  // Nothing is known yet, so nothing is out of date.
  let freshAt = clock.now()
  let running: Promise<void> | undefined
  let pausedUntil = 0
  const takePage = (keys: readonly StoredKey[]): boolean => {
    revision = keys.at(-1)?.revision ?? revision
    onChanged(keys)
    return keys.length === PAGE
  }
  /** Returns undefined if it is done already. */
  const read = (): Awaitable<void> => {
    const startedAt = clock.now()
    const first = store.keysSince(revision, PAGE)
    if (first instanceof Promise || takePage(first)) return readOn(first, startedAt)
    freshAt = startedAt
    return undefined
  }
  /** Further pages are for new instances. Other calls go on between them. */
  const readOn = async (first: Awaitable<readonly StoredKey[]>, startedAt: number): Promise<void> => {
    if (!(first instanceof Promise) || takePage(await first)) {
      while (takePage(await store.keysSince(revision, PAGE))) await new Promise<void>(schedule)
    }
    freshAt = startedAt
  }
  const start = (): void => {
    const fail = (thrown: unknown): void => {
      pausedUntil = clock.now() + PAUSE_MS
      onFailed(thrown)
    }
    try {
      const reading = read()
      if (!(reading instanceof Promise)) return
      running = reading.catch(fail).finally(() => (running = undefined))
    } catch (thrown) {
      fail(thrown)
    }
  }
  const isLate = (): boolean => clock.now() - freshAt > LATE_MS
  return {
    refresh() {
      const now = clock.now()
      if (now - freshAt <= SOON_MS) return undefined
      if (running === undefined && now >= pausedUntil) start()
      if (!isLate()) return undefined
      return running === undefined ? Promise.resolve(false) : running.then(() => !isLate())
    },
  }
}
