import type { Store } from '@dragoman/accounts'

/** A store whose database cannot be reached yet. */
export interface WaitingStore {
  /** Fails until the database can be reached. */
  readonly store: Store
  readonly isOpen: () => boolean
}

export interface WaitingOptions {
  readonly title: string
  /** Tries again. */
  readonly open: () => Promise<Store>
  /** The store can be used. */
  readonly onOpened: (store: Store) => void
  readonly onFailed: (thrown: unknown) => void
}

const FIRST_MS = 250
const LONGEST_MS = 5000

/** Opens a store when its database is back, migrations included, and passes everything to it. */
export function createWaitingStore({ title, open, onOpened, onFailed }: WaitingOptions): WaitingStore {
  let opened: Store | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const attempt = async (waitMs: number): Promise<void> => {
    try {
      const store = await open()
      if (isClosed) return await store.close()
      opened = store
      onOpened(store)
    } catch (thrown) {
      onFailed(thrown)
      if (!isClosed) wait(Math.min(LONGEST_MS, waitMs * 2))
    }
  }
  const wait = (ms: number): void => {
    timer = setTimeout(() => void attempt(ms), ms)
  }
  wait(FIRST_MS)
  const use = async <T>(run: (store: Store) => T | Promise<T>): Promise<T> => {
    if (opened === undefined) throw new Error('it cannot be reached yet')
    return run(opened)
  }
  return {
    isOpen: () => opened !== undefined,
    store: {
      title,
      findKey: (digest) => use((store) => store.findKey(digest)),
      key: (id) => use((store) => store.key(id)),
      keysSince: (revision, limit) => use((store) => store.keysSince(revision, limit)),
      saveKey: (...values) => use((store) => store.saveKey(...values)),
      commit: (batch) => use((store) => store.commit(batch)),
      buryLost: () => use((store) => store.buryLost()),
      balances: (key) => use((store) => store.balances(key)),
      usage: (query) => use((store) => store.usage(query)),
      record: (id) => use((store) => store.record(id)),
      records: (after, limit) => use((store) => store.records(after, limit)),
      prune: (before, limit) => use((store) => store.prune(before, limit)),
      writeAudit: (entry) => use((store) => store.writeAudit(entry)),
      audits: (before, limit) => use((store) => store.audits(before, limit)),
      saveBodies: (bodies) => use((store) => store.saveBodies(bodies)),
      bodies: (id) => use((store) => store.bodies(id)),
      async close() {
        isClosed = true
        clearTimeout(timer)
        await opened?.close()
      },
    },
  }
}
