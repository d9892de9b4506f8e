import type { Awaitable, Batch, BatchResult, CallRecord, Retention } from '@dragoman/accounts/store'
import { createSqlStore, migrate, type Sql, type SqlStore } from '@dragoman/store-sqlite/sql'
import { cutText } from './cut-text.ts'

/** What a store asks of its object, by the names of the methods. Arguments and results are JSON, except bigints. */
export interface ObjectStore extends Omit<
  SqlStore,
  'commit' | 'buryLost' | 'record' | 'records' | 'usage' | 'isLargeReport' | 'prune' | 'hasOld' | 'removeRecords'
> {
  commit(batch: Batch): BatchResult
  /** Closes some of the calls of lost instances. */
  buryLost(): ReturnType<SqlStore['buryLost']>
  record(id: string): Awaitable<CallRecord | undefined>
  records(after: string, limit: number): Awaitable<readonly CallRecord[]>
  prune(before: Retention, limit: number): Awaitable<number>
  /** Records that are in the archive from now on. Their ids stay, so that no settlement writes them again. */
  removeRecords(ids: readonly string[]): void
  /** Forgets ids of records that are deleted. */
  forgetArchived(ids: readonly string[]): void
}

/** Other calls wait for a step: about 10 ms. */
const BURY_STEP = 200
/** A row of a Durable Object has at most 2 MB, and bodies are two texts in one row. */
const LARGEST_BODY_BYTES = 950_000

export function createObjectStore(sql: Sql, clock: { now(): number }): ObjectStore {
  migrate(sql)
  sql.run(`CREATE TABLE IF NOT EXISTS archived (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID`)
  const store = createSqlStore(sql, (id) => sql.all(`SELECT 1 FROM archived WHERE id = unhex(?)`, id).length > 0)
  return {
    ...store,
    commit: (batch) => store.commit(batch, clock.now()),
    buryLost: () => store.buryLost(clock.now(), BURY_STEP),
    prune: (before, limit) => store.prune(before, limit, clock.now()),
    removeRecords: (ids) =>
      store.removeRecords(ids, (id) => sql.run(`INSERT OR IGNORE INTO archived VALUES (unhex(?))`, id)),
    forgetArchived(ids) {
      for (const id of ids) sql.run(`DELETE FROM archived WHERE id = unhex(?)`, id)
    },
    // JSON has no undefined.
    usageStep: (query, from, last) => store.usageStep(query, from ?? undefined, last ?? undefined),
    audits: (before, limit) => store.audits(before ?? undefined, limit),
    saveBodies({ request, answer, ...bodies }) {
      store.saveBodies({
        ...bodies,
        request: cutText(request, LARGEST_BODY_BYTES),
        answer: cutText(answer, LARGEST_BODY_BYTES),
      })
    },
  }
}

/** When the next instance is lost if it sends no heartbeat. */
export function nextLoss(sql: Sql): number | undefined {
  const [row] = sql.all(`SELECT min(until) AS next FROM instances`)
  return typeof row?.['next'] === 'number' ? row['next'] : undefined
}
