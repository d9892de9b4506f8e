import type { Pool } from 'pg'
import { readScript, type Script } from './read-script.ts'

/** Each entry is one version of the tables. Entries and their files are never changed: a new version is a new entry. */
const MIGRATIONS: readonly (readonly Script[])[] = [
  ['sql/tables.sql', 'sql/functions.sql', 'sql/settling.sql'],
  ['sql/batch-numbers.sql'],
  ['sql/raises.sql'],
]

/** The statements of each version. */
export function readMigrations(): readonly string[] {
  return MIGRATIONS.map((scripts) => scripts.map(readScript).join('\n'))
}

/**
 * Brings the tables to the newest version. Several instances may start at once: one of them does it, and the others wait for it. Each
 * migration happens completely or not at all.
 */
export async function migrate(pool: Pool, schema: string, migrations = readMigrations()): Promise<void> {
  const client = await pool.connect()
  // A connection that is lost between two statements would end the process. The next statement fails, and reports it.
  client.on('error', () => {})
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`migrations of ${schema}`])
    // A user who may not create schemas needs one that exists.
    const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
    if (rowCount === 0) await client.query(`create schema ${schema}`)
    await client.query(`set local search_path to ${schema}`)
    await client.query('create table if not exists migrations (version integer primary key, at timestamptz not null)')
    const { rows } = await client.query<{ version: number }>(
      'select coalesce(max(version), 0) as version from migrations',
    )
    const [{ version } = { version: 0 }] = rows
    if (version > migrations.length) throw new Error(tooNew(schema, version, migrations.length))
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue
      await client.query(migration)
      await client.query('insert into migrations values ($1, now())', [index + 1])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // the connection may be the reason of the error
    throw error
  } finally {
    client.release()
  }
}

function tooNew(schema: string, found: number, known: number): string {
  return `The schema "${schema}" has version ${found}, and this dragoman knows ${known}: it was used by a newer dragoman. Start that one, or restore a backup.`
}
