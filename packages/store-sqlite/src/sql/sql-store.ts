import type {
  AuditEntry,
  Balance,
  Batch,
  BatchResult,
  CallRecord,
  Retention,
  StoredBodies,
  StoredKey,
  UsagePage,
  UsageQuery,
} from '@dragoman/accounts/store'
import { readBalances } from './budgets.ts'
import { buryCalls, writeBatch, type Buried, type Tables } from './calls.ts'
import { hasOldHours, pruneHours } from './hours.ts'
import {
  findKey,
  hasOldAudits,
  hasOldBodies,
  keysSince,
  pruneAudits,
  pruneBodies,
  readAudits,
  readBodies,
  readKey,
  saveKey,
  writeAudit,
  writeBodies,
} from './keys.ts'
import { createInstances } from './instances.ts'
import { createNames } from './names.ts'
import { deleteRecord, hasOldRecords, pruneRecords, readFinalRecords, readRecord, readRecords } from './record-rows.ts'
import type { Sql } from './sql.ts'
import { isLargeReport, readUsage, stepThroughUsage, type HourCursor, type UsageStep } from './usage.ts'

/** The methods of a `Store` on any SQLite, at once, with the time as an argument. The database has been migrated. */
export interface SqlStore {
  findKey(digest: string): StoredKey | undefined
  key(id: string): StoredKey | undefined
  keysSince(revision: number, limit: number): readonly StoredKey[]
  saveKey(key: Omit<StoredKey, 'revision'>, before: number, audit: AuditEntry): StoredKey | undefined
  commit(batch: Batch, now: number): BatchResult
  /** Closes at most `limit` calls of lost instances. */
  buryLost(now: number, limit: number): Buried
  balances(key: string): readonly Balance[]
  /** A whole page. It reads everything that its groups may be in: for a thread. */
  usage(query: UsageQuery): UsagePage
  /** Whether a page of a report may take longer than a millisecond. */
  isLargeReport(query: UsageQuery): boolean
  /** A part of a page, for `createUsageFold`. It reads a limited number of rows. */
  usageStep(query: UsageQuery, from: HourCursor | undefined, last: readonly string[] | undefined): UsageStep
  record(id: string): CallRecord | undefined
  records(after: string, limit: number): readonly CallRecord[]
  /** The first records that no settlement can change. */
  finalRecords(limit: number): readonly CallRecord[]
  /** Runs in one transaction: removes records that are kept elsewhere from now on. Sums and balances stay. */
  removeRecords(ids: readonly string[], remember: (id: string) => void): void
  /** Whether `prune` has something to do. */
  hasOld(before: Retention, now: number): boolean
  prune(before: Retention, limit: number, now: number): number
  writeAudit(entry: AuditEntry): void
  audits(before: string | undefined, limit: number): readonly AuditEntry[]
  saveBodies(bodies: StoredBodies): void
  bodies(id: string): StoredBodies | undefined
}

/** `isElsewhere` returns whether a record is kept outside of the database: they are not written again. */
export function createSqlStore(sql: Sql, isElsewhere: Tables['isElsewhere'] = () => false): SqlStore {
  const names = createNames(sql)
  const tables: Tables = { sql, names, instances: createInstances(sql, names), isElsewhere }
  const transaction = <T>(run: () => T): T => {
    let hasBegun = false
    try {
      return sql.transaction(() => {
        hasBegun = true
        return run()
      })
    } catch (error) {
      // Names and open calls of this transaction are not stored.
      if (hasBegun) {
        names.reset()
        tables.instances.reset()
      }
      throw error
    }
  }
  return {
    findKey: (digest) => findKey(sql, digest),
    key: (id) => readKey(sql, id),
    keysSince: (revision, limit) => keysSince(sql, revision, limit),
    saveKey: (key, before, audit) => transaction(() => saveKey(sql, key, before, audit)),
    commit: (batch, now) => transaction(() => writeBatch(tables, batch, now)),
    buryLost: (now, limit) => transaction(() => buryCalls(tables, now, limit)),
    balances: (key) => readBalances(sql, names, key),
    usage: (query) => readUsage(sql, names, query),
    isLargeReport: (query) => isLargeReport(sql, query),
    usageStep: (query, from, last) => stepThroughUsage(sql, names, query, from, last),
    record: (id) => readRecord(sql, names, id),
    records: (after, limit) => readRecords(sql, names, after, limit),
    finalRecords: (limit) => readFinalRecords(sql, names, limit),
    removeRecords: (ids, remember) =>
      transaction(() => {
        for (const id of ids) {
          remember(id)
          deleteRecord(sql, id)
        }
      }),
    hasOld: (before, now) =>
      hasOldBodies(sql, now) ||
      hasOldRecords(sql, before.records) ||
      hasOldHours(sql, before.hours) ||
      hasOldAudits(sql, before.audit),
    prune: (before, limit, now) =>
      transaction(() => {
        let deleted = pruneBodies(sql, now, limit)
        deleted += pruneRecords(sql, before.records, limit - deleted)
        deleted += pruneHours(sql, before.hours, limit - deleted)
        return deleted + pruneAudits(sql, before.audit, limit - deleted)
      }),
    writeAudit: (entry) => transaction(() => writeAudit(sql, entry)),
    audits: (before, limit) => readAudits(sql, before, limit),
    saveBodies: (bodies) => transaction(() => writeBodies(sql, names, bodies)),
    bodies: (id) => readBodies(sql, names, id),
  }
}
