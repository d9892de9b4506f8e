import {
  correctTokens,
  cutRecord,
  endOf,
  lateBatch,
  ratesOf,
  takeFrom,
  type Batch,
  type BatchResult,
  type CallRecord,
  type Opening,
  type PeriodStart,
  type Rates,
  type Refused,
  type Settlement,
  type SliceWish,
  type Verdict,
} from '@dragoman/accounts/store'
import { addSlice, createCharges, grant, hold, type Charges } from './budgets.ts'
import { createHourSums, type HourSums } from './hours.ts'
import { createMeters, type Meters } from './meters.ts'
import type { Names } from './names.ts'
import { deleteOpenCall, insertOpenCall, readOpenCalls } from './open-calls.ts'
import { deleteRecord, insertRecord, readRecord } from './record-rows.ts'
import { numberIn, type Sql } from './sql.ts'

/** One transaction of one instance. */
interface Work {
  readonly sql: Sql
  readonly names: Names
  readonly meters: Meters
  readonly hours: HourSums
  readonly charges: Charges
  readonly now: number
  readonly instance: number
  readonly isElsewhere: IsElsewhere
}

/** Whether the record of a call is kept outside of this database. */
export type IsElsewhere = (id: string) => boolean

/** What was closed, and whether everything is. */
export interface Buried {
  readonly closed: number
  readonly isDone: boolean
}

/** Inside a transaction. */
export function writeBatch(sql: Sql, names: Names, batch: Batch, now: number, isElsewhere: IsElsewhere): BatchResult {
  const { settlements, slices, openings, last } = batch
  const { instance, isNew } = enter(sql, batch, now)
  const work = createWork(sql, names, now, instance, isElsewhere)
  for (const settlement of settlements) settle(work, settlement)
  work.charges.flush()
  for (const slice of slices) hold(sql, names, instance, slice)
  const verdicts = openings.map((opening) => open(work, opening))
  if (last === true && readOpenCalls(sql, names, instance, 1).length === 0) forget(work)
  work.meters.flush()
  work.hours.flush()
  return { isNew, verdicts }
}

/** Closes at most `limit` calls of lost instances. Inside a transaction. */
export function buryCalls(sql: Sql, names: Names, now: number, limit: number, isElsewhere: IsElsewhere): Buried {
  let closed = 0
  for (const row of sql.all(`SELECT id FROM instances WHERE until <= ?`, now)) {
    const work = createWork(sql, names, now, numberIn(row, 'id'), isElsewhere)
    const calls = readOpenCalls(sql, names, work.instance, limit - closed)
    for (const { call, budgets } of calls) {
      close(work, call.id, call.key)
      write(work, call.id, call.key, cutRecord(call), budgets)
    }
    work.meters.flush()
    work.hours.flush()
    work.charges.flush()
    closed += calls.length
    if (closed >= limit) return { closed, isDone: false }
    forget(work)
  }
  return { closed, isDone: true }
}

function createWork(sql: Sql, names: Names, now: number, instance: number, isElsewhere: IsElsewhere): Work {
  return {
    sql,
    names,
    now,
    instance,
    isElsewhere,
    meters: createMeters(sql),
    hours: createHourSums(sql, names),
    charges: createCharges(sql),
  }
}

/** Throws if the instance has sent a later batch. */
function enter(sql: Sql, batch: Batch, now: number): { readonly instance: number; readonly isNew: boolean } {
  const { instance: name, number, ttlMs, last } = batch
  // Calls that the last batch leaves open are closed like those of a lost instance.
  const until = last === true ? now : now + ttlMs
  const [known] = sql.all(`SELECT id, number FROM instances WHERE name = ?`, name)
  if (known === undefined) return { instance: addInstance(sql, batch, until), isNew: true }
  if (numberIn(known, 'number') > number) throw lateBatch(batch)
  const instance = numberIn(known, 'id')
  // Not with RETURNING, for which SQLite creates a table in memory each time.
  sql.run(`UPDATE instances SET until = ?, number = ? WHERE id = ?`, until, number, instance)
  return { instance, isNew: false }
}

function addInstance(sql: Sql, batch: Batch, until: number): number {
  const { instance: name, number } = batch
  const later = `SELECT 1 FROM past_instances WHERE name = ? AND number > ?`
  if (sql.all(later, name, number).length > 0) throw lateBatch(batch)
  const add = `INSERT INTO instances (name, until, number) VALUES (?, ?, ?) RETURNING id`
  const [added] = sql.all(add, name, until, number)
  if (added === undefined) throw new Error('An instance was not stored')
  return numberIn(added, 'id')
}

/** How long the numbers of forgotten instances are kept. No platform holds a batch back for longer. */
const PAST_MS = 86_400_000

function forget({ sql, instance, now }: Work): void {
  sql.run(`DELETE FROM past_instances WHERE until <= ?`, now)
  sql.run(
    `INSERT OR REPLACE INTO past_instances SELECT name, number, ? FROM instances WHERE id = ?`,
    now + PAST_MS,
    instance,
  )
  sql.run(`DELETE FROM slices WHERE instance = ?`, instance)
  sql.run(`DELETE FROM instances WHERE id = ?`, instance)
}

function settle(work: Work, { id, key, record, budgets, limits, tokens }: Settlement): void {
  const wasOpen = close(work, id, key)
  const isWritten =
    record === undefined ? takeBack(work, id, key, budgets) || wasOpen : write(work, id, key, record, budgets)
  if (!isWritten || limits.tokens === undefined) return
  const meter = work.meters.of(work.names.idOf(key))
  meter.bucket = correctTokens(meter.bucket, limits, tokens, work.now)
}

function close({ sql, names, meters, instance }: Work, id: string, key: string): boolean {
  const wasOpen = deleteOpenCall(sql, instance, id)
  if (wasOpen) meters.of(names.idOf(key)).open--
  return wasOpen
}

/** Writes a record, or replaces one that is cut. Returns false if there is another one. */
function write(work: Work, id: string, key: string, record: CallRecord, budgets: readonly PeriodStart[]): boolean {
  const { sql, names, hours, charges } = work
  if (work.isElsewhere(id)) return false
  if (!insertRecord(sql, names, record)) {
    if (!takeBack(work, id, key, budgets)) return false
    insertRecord(sql, names, record)
  }
  hours.add(record)
  charges.add(names.idOf(key), budgets, record.cost)
  return true
}

/** Removes a record that is cut, and what was charged for it. Returns false if there is none. */
function takeBack(
  { sql, names, hours, charges }: Work,
  id: string,
  key: string,
  budgets: readonly PeriodStart[],
): boolean {
  const before = readRecord(sql, names, id)
  if (before?.outcome !== 'cut') return false
  deleteRecord(sql, id)
  hours.subtract(before)
  charges.add(names.idOf(key), budgets, -before.cost)
  return true
}

function open(work: Work, opening: Opening): Verdict {
  const { sql, names, meters, now, instance } = work
  const { call, limits, tokens, wishes } = opening
  const key = names.idOf(call.key)
  const meter = meters.of(key)
  const before = correctTokens(meter.bucket, limits, 0, now)
  const rates = ratesOf(before, limits)
  if (!insertOpenCall(sql, names, instance, opening)) return { granted: wishes.map(() => 0), rates }
  const refuse = (refused: Refused): Refused => {
    deleteOpenCall(sql, instance, call.id)
    return refused
  }
  const { bucket, refused, waitMs } = takeFrom(before, limits, tokens, now)
  if (refused !== undefined) return refuse({ refused, waitMs, rates })
  if (limits.concurrent !== undefined && meter.open >= limits.concurrent)
    return refuse({ refused: 'concurrent', rates })
  const granted: number[] = []
  for (const wish of wishes) {
    const amount = grant(sql, key, wish)
    if (amount === undefined) return refuse(outOfBudget(wish, now, rates))
    granted.push(amount)
  }
  for (const [index, wish] of wishes.entries()) addSlice(sql, key, instance, wish, granted[index] ?? 0)
  meter.bucket = bucket
  meter.open++
  return { granted, rates: ratesOf(bucket, limits) }
}

function outOfBudget({ period, start }: SliceWish, now: number, rates: Rates): Refused {
  const end = endOf({ period, start })
  return { refused: 'budget', period, rates, waitMs: end === undefined ? undefined : Math.max(0, end - now) }
}
