import { setTimeout as pause } from 'node:timers/promises'
import type { Batch, Retention, Store } from '@dragoman/accounts/store'
import { createSqlStore } from '../sql/sql-store.ts'
import { openDatabase, type DatabaseOptions } from './database.ts'
import { explain } from './errors.ts'
import { createRuns, createThreads } from './store-runs.ts'
import { startThread } from './threads.ts'

export interface SqliteStoreOptions {
  /** Created if it does not exist. Its folder must exist. */
  readonly file: string
  /**
   * `normal`, the default: what is committed survives the end of the process, and the last second may be lost in a power failure. `full`: it
   * survives that too, and every group of calls waits for the disk, in another thread.
   */
  readonly synchronous?: 'normal' | 'full' | undefined
  /** The file does not become larger; what would exceed it is refused, as on a full disk. */
  readonly maxBytes?: number | undefined
  readonly clock?: { now(): number } | undefined
}

export interface SqliteStore extends Store {
  /** Writes a copy of the whole database to a new file, while calls go on. */
  backup(file: string): Promise<void>
}

/** Work on more rows is done by a thread: these take about 5 ms. */
const MOST_ENTRIES = 500
const BURY_STEP = 200
/** Old rows may have to be read from the disk: more than a few are deleted by the thread. */
const MOST_PRUNED = 20
/** Others wait until the transaction is over: less than a millisecond. */
const PRUNE_STEP = 50
/** The same for reading: more rows are read by the other thread. */
const MOST_READ = 20

/** Opens a store in an SQLite file. Several processes can use the same file. */
export function openSqliteStore({
  file,
  synchronous = 'normal',
  maxBytes,
  clock = Date,
}: SqliteStoreOptions): SqliteStore {
  const title = `SQLite at ${file}`
  const options: DatabaseOptions = { file, synchronous, maxBytes }
  // The event loop does not wait for other writers.
  const database = openDatabase(options, 0)
  const store = createSqlStore(database.sql)
  const threads = createThreads(options)
  const isFull = synchronous === 'full'

  const { read, write, inThread, inReader } = createRuns(title, threads)
  /** In short transactions, between which calls can be committed. */
  const pruneInThread = async (before: Retention, limit: number): Promise<number> => {
    for (let all = 0; ;) {
      const step = Math.min(PRUNE_STEP, limit - all)
      const deleted = await inThread('prune', before, step, clock.now())
      all += deleted
      if (deleted < step || all >= limit) return all
    }
  }
  return {
    title,
    findKey: (digest) => read(() => store.findKey(digest)),
    key: (id) => read(() => store.key(id)),
    keysSince: (revision, limit) => read(() => store.keysSince(revision, limit)),
    saveKey: (...values) => (isFull ? inThread('saveKey', ...values) : write(() => store.saveKey(...values))),
    commit(batch) {
      const now = clock.now()
      return isFull || isLarge(batch) ? inThread('commit', batch, now) : write(() => store.commit(batch, now))
    },
    async buryLost() {
      for (let all = 0; ;) {
        const now = clock.now()
        const { closed, isDone } = await (isFull
          ? inThread('buryLost', now, BURY_STEP)
          : write(() => store.buryLost(now, BURY_STEP)))
        all += closed
        if (isDone) return all
        await pause(0)
      }
    },
    balances: (key) => read(() => store.balances(key)),
    usage: (query) =>
      read(() => store.isLargeReport(query)) ? inReader('usage', query) : read(() => store.usage(query)),
    record: (id) => read(() => store.record(id)),
    records: (after, limit) =>
      limit > MOST_READ ? inReader('records', after, limit) : read(() => store.records(after, limit)),
    prune(before, limit) {
      const now = clock.now()
      if (!read(() => store.hasOld(before, now))) return 0
      return isFull || limit > MOST_PRUNED ? pruneInThread(before, limit) : write(() => store.prune(before, limit, now))
    },
    writeAudit: (entry) => (isFull ? inThread('writeAudit', entry) : write(() => store.writeAudit(entry))),
    audits: (before, limit) =>
      limit > MOST_READ ? inReader('audits', before, limit) : read(() => store.audits(before, limit)),
    saveBodies: (bodies) => (isFull ? inThread('saveBodies', bodies) : write(() => store.saveBodies(bodies))),
    bodies: (id) => read(() => store.bodies(id)),
    async backup(target) {
      const thread = startThread('write', options)
      try {
        await thread.call('backup', target)
      } catch (error) {
        throw explain(title, error)
      } finally {
        await thread.close()
      }
    },
    async close() {
      // Before those of the threads: the last one moves the log to the file.
      database.close()
      await threads.close()
    },
  }
}

function isLarge({ settlements, openings }: Batch): boolean {
  return settlements.length + openings.length > MOST_ENTRIES
}
