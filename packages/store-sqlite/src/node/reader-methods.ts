import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { createSqlStore, type SqlStore } from '../sql/sql-store.ts'
import { openReader, type DatabaseOptions } from './database.ts'

/** What a thread does with a connection that can only read: everything that reads many rows. Writers do not wait for it. */
export interface ReaderMethods extends Pick<SqlStore, 'usage' | 'records' | 'audits'> {
  close(): void
}

const WAIT_MS = 5000

/** The priority, as for `nice`: calls go first if there are more threads than cores. */
const PRIORITY = 10

export function createReaderMethods(options: DatabaseOptions): ReaderMethods {
  // Linux has priorities for threads. Elsewhere this would be the whole process.
  if (process.platform === 'linux' && !isMainThread) setPriority(PRIORITY)
  const { sql, close } = openReader(options, WAIT_MS)
  const store = createSqlStore(sql)
  return {
    usage: (query) => store.usage(query),
    records: (after, limit) => store.records(after, limit),
    audits: (before, limit) => store.audits(before, limit),
    close,
  }
}
