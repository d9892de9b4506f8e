import { join } from 'node:path'
import type { PostgresConnection } from '@dragoman/testkit/engines'
import { Client } from 'pg'

const SCHEMA = 'dragoman'

/** What the module for migrations exports: a constant in checkouts that have no files for SQL. */
interface Migrations {
  readonly readMigrations?: () => readonly string[]
  readonly MIGRATIONS?: readonly string[]
}

/**
 * SQL that makes the same tables with the same rows: the statements of that version for its tables, and the rows as JSON. The program of
 * PostgreSQL for this must not be older than its engine, which is not to be had everywhere.
 */
export async function dumpPostgres(connection: PostgresConnection, root: string): Promise<string> {
  const module = join(root, 'packages/store-postgres/src/migrate.ts')
  const { readMigrations, MIGRATIONS = [] } = (await import(module)) as Migrations // its exports
  const client = new Client(connection)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = $1 order by 1',
      [SCHEMA],
    )
    const statements = [
      `create schema ${SCHEMA}`,
      `set search_path to ${SCHEMA}`,
      'create table migrations (version integer primary key, at timestamptz not null)',
      ...(readMigrations?.() ?? MIGRATIONS),
    ]
    for (const { name } of tables) {
      const table = `${SCHEMA}.${name}`
      const { rows } = await client.query<{ rows: string | null }>(`select jsonb_agg(t)::text as rows from ${table} t`)
      statements.push(`delete from ${name}`)
      const json = rows[0]?.rows ?? '[]'
      statements.push(
        `insert into ${name} overriding system value select * from jsonb_populate_recordset(null::${name}, $rows$${json}$rows$)`,
      )
    }
    statements.push(
      `select setval(pg_get_serial_sequence('${SCHEMA}.names', 'id'), (select coalesce(max(id), 1) from names))`,
    )
    return `${statements.join(';\n')};\n`
  } finally {
    await client.end()
  }
}
