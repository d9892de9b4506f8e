import type { AuditEntry, StoredBodies, StoredKey } from '@dragoman/accounts/store'
import type { Names } from './names.ts'
import { numberIn, textIn, type Row, type Sql } from './sql.ts'

export function findKey(sql: Sql, digest: string): StoredKey | undefined {
  const [row] = sql.all(
    `SELECT body FROM keys WHERE digest = ? UNION ALL SELECT body FROM keys WHERE previous = ? LIMIT 1`,
    digest,
    digest,
  )
  return row && keyOf(row)
}

export function readKey(sql: Sql, id: string): StoredKey | undefined {
  const [row] = sql.all(`SELECT body FROM keys WHERE id = ?`, id)
  return row && keyOf(row)
}

export function keysSince(sql: Sql, revision: number, limit: number): readonly StoredKey[] {
  return sql.all(`SELECT body FROM keys WHERE revision > ? ORDER BY revision LIMIT ?`, revision, limit).map(keyOf)
}

/** Inside a transaction. */
export function saveKey(
  sql: Sql,
  key: Omit<StoredKey, 'revision'>,
  before: number,
  audit: AuditEntry,
): StoredKey | undefined {
  const [row] = sql.all(
    `SELECT (SELECT coalesce(max(revision), 0) FROM keys) AS latest, coalesce((SELECT revision FROM keys WHERE id = ?), 0) AS own`,
    key.id,
  )
  if (row === undefined || numberIn(row, 'own') !== before) return undefined
  const revision = numberIn(row, 'latest') + 1
  const { id, digest, previous } = key
  const saved = { ...key, revision }
  sql.run(
    `INSERT OR REPLACE INTO keys VALUES (?, ?, ?, ?, ?)`,
    id,
    revision,
    digest,
    previous?.digest ?? null,
    JSON.stringify(saved),
  )
  writeAudit(sql, audit)
  return saved
}

export function writeAudit(sql: Sql, entry: AuditEntry): void {
  sql.run(`INSERT OR REPLACE INTO audits VALUES (unhex(?), ?, ?)`, entry.id, entry.at, JSON.stringify(entry))
}

export function readAudits(sql: Sql, before: string | undefined, limit: number): readonly AuditEntry[] {
  const rows =
    before === undefined
      ? sql.all(`SELECT entry FROM audits ORDER BY id DESC LIMIT ?`, limit)
      : sql.all(`SELECT entry FROM audits WHERE id < unhex(?) ORDER BY id DESC LIMIT ?`, before, limit)
  return rows.map((row) => JSON.parse(textIn(row, 'entry')) as AuditEntry) // as writeAudit has written it
}

export function hasOldAudits(sql: Sql, before: number): boolean {
  return sql.all(`SELECT 1 FROM (SELECT at FROM audits ORDER BY id LIMIT 1) WHERE at < ?`, before).length > 0
}

/** Deletes the first entries, by their ids, as long as they are older than a time. */
export function pruneAudits(sql: Sql, before: number, limit: number): number {
  return sql.all(
    `DELETE FROM audits WHERE id IN (SELECT id FROM audits ORDER BY id LIMIT ?) AND at < ? RETURNING 1`,
    limit,
    before,
  ).length
}

export function writeBodies(sql: Sql, names: Names, { id, key, until, request, answer }: StoredBodies): void {
  sql.run(`INSERT OR REPLACE INTO bodies VALUES (unhex(?), ?, ?, ?, ?)`, id, until, names.idOf(key), request, answer)
}

export function readBodies(sql: Sql, names: Names, id: string): StoredBodies | undefined {
  const [row] = sql.all(`SELECT until, key, request, answer FROM bodies WHERE id = unhex(?)`, id)
  if (row === undefined) return undefined
  const key = names.nameOf(numberIn(row, 'key'))
  return { id, key, until: numberIn(row, 'until'), request: textIn(row, 'request'), answer: textIn(row, 'answer') }
}

export function hasOldBodies(sql: Sql, now: number): boolean {
  return sql.all(`SELECT 1 FROM bodies WHERE until < ? LIMIT 1`, now).length > 0
}

export function pruneBodies(sql: Sql, now: number, limit: number): number {
  const old = `SELECT id FROM bodies WHERE until < ? ORDER BY until LIMIT ?`
  return sql.all(`DELETE FROM bodies WHERE id IN (${old}) RETURNING 1`, now, limit).length
}

function keyOf(row: Row): StoredKey {
  return JSON.parse(textIn(row, 'body')) as StoredKey // as saveKey has written it
}
