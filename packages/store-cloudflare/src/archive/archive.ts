import type { CallRecord } from '@dragoman/accounts/store'
import { archivedRecord, INSERT_RECORDS } from './archive-rows.ts'
import { ARCHIVE_MIGRATIONS } from './archive-schema.ts'
import type { D1 } from './d1.ts'

/** Records in D1, which come from the object and are never changed. */
export interface Archive {
  /** Adds records. Those that are there already stay. */
  add(records: readonly CallRecord[]): Promise<void>
  record(id: string): Promise<CallRecord | undefined>
  records(after: string, limit: number): Promise<readonly CallRecord[]>
  /** Deletes records of calls that began before a time, and returns their ids. */
  prune(before: number, limit: number): Promise<readonly string[]>
}

/** What the archive asks of D1, beside adding records. Each statement finds its rows by an index. */
export const ARCHIVE_STATEMENTS = {
  one: `SELECT * FROM dragoman_records WHERE object = ? AND id = ?`,
  page: `SELECT * FROM dragoman_records WHERE object = ? AND id > ? ORDER BY id LIMIT ?`,
  prune: `DELETE FROM dragoman_records WHERE object = ? AND id IN (
      SELECT id FROM dragoman_records WHERE object = ? AND at < ? ORDER BY at LIMIT ?
    ) RETURNING id`,
} as const

/** Several objects can use the same database: each has its own records. */
export function createArchive(d1: D1, object: string): Archive {
  let migrated: Promise<void> | undefined
  /** The tables are made at the first use: D1 may be out of reach when the object starts. */
  const ready = async (): Promise<void> => {
    migrated ??= migrateArchive(d1)
    try {
      await migrated
    } catch (error) {
      migrated = undefined
      throw error
    }
  }
  const all = async (statement: string, ...values: (string | number)[]) => {
    await ready()
    const { results } = await d1
      .prepare(statement)
      .bind(...values)
      .all()
    return results
  }
  return {
    async add(records) {
      await ready()
      await d1.prepare(INSERT_RECORDS).bind(object, JSON.stringify(records)).run()
    },
    async record(id) {
      const [row] = await all(ARCHIVE_STATEMENTS.one, object, id)
      return row && archivedRecord(row)
    },
    async records(after, limit) {
      const rows = await all(ARCHIVE_STATEMENTS.page, object, after, limit)
      return rows.map(archivedRecord)
    },
    async prune(before, limit) {
      const rows = await all(ARCHIVE_STATEMENTS.prune, object, object, before, limit)
      return rows.map(({ id }) => String(id))
    },
  }
}

/** Brings the tables to the newest version. Only one object does this, so there is no lock. */
async function migrateArchive(d1: D1): Promise<void> {
  await d1.prepare(`CREATE TABLE IF NOT EXISTS dragoman_archive (version INTEGER NOT NULL) STRICT`).run()
  const { results } = await d1.prepare(`SELECT max(version) AS version FROM dragoman_archive`).all()
  const version = Number(results[0]?.['version'] ?? 0)
  const newest = ARCHIVE_MIGRATIONS.length
  if (version > newest) {
    throw new Error(
      `the tables in D1 have version ${version}, and this version of dragoman knows ${newest} at most. ` +
        'Deploy the version of dragoman that has last used them, or a newer one',
    )
  }
  if (version === newest) return
  const statements = ARCHIVE_MIGRATIONS.slice(version).flat()
  await d1.batch([
    ...statements.map((statement) => d1.prepare(statement)),
    d1.prepare(`INSERT INTO dragoman_archive VALUES (?)`).bind(newest),
  ])
}
