import type { Row, Sql } from '@dragoman/store-sqlite/sql'
import type { ObjectStorage } from './platform.ts'

/** The SQLite of a Durable Object. It keeps prepared statements itself. */
export function createObjectSql(storage: Pick<ObjectStorage, 'sql' | 'transactionSync'>): Sql {
  const { sql } = storage
  return {
    run: (statement, ...values) => sql.exec(statement, ...values).rowsWritten > 0,
    all: (statement, ...values) =>
      sql
        .exec(statement, ...values)
        .toArray()
        .map(rowOf),
    transaction: (run) => storage.transactionSync(run),
  }
}

/** Most rows have no bytes, and stay as they are. */
function rowOf(row: { readonly [column: string]: string | number | ArrayBuffer | null }): Row {
  const values = Object.entries(row)
  if (!values.some(([, value]) => value instanceof ArrayBuffer)) return row as Row // without buffers
  return Object.fromEntries(
    values.map(([name, value]) => [name, value instanceof ArrayBuffer ? new Uint8Array(value) : value]),
  )
}
