import { createSqlStore, type SqlStore } from '../sql/sql-store.ts'
import { openReader, type DatabaseOptions } from './database.ts'

/** What a thread does with a connection that can only read: everything that reads many rows. Writers do not wait for it. */
export interface ReaderMethods extends Pick<SqlStore, 'usage' | 'records' | 'audits'> {
  close(): void
}

const WAIT_MS = 5000

export function createReaderMethods(options: DatabaseOptions): ReaderMethods {
  const { sql, close } = openReader(options, WAIT_MS)
  const store = createSqlStore(sql)
  return {
    usage: (query) => store.usage(query),
    records: (after, limit) => store.records(after, limit),
    audits: (before, limit) => store.audits(before, limit),
    close,
  }
}
