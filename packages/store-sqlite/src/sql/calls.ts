import {
  correctTokens,
  cutRecord,
  EMPTY_BUCKET,
  endOf,
  ratesOf,
  takeFrom,
  type Batch,
  type BatchResult,
  type CallRecord,
  type Limits,
  type Opening,
  type PeriodStart,
  type Raise,
  type Rates,
  type Refused,
  type Settlement,
  type SliceRequest,
  type Verdict,
} from '@dragoman/accounts/store'
import { addSlice, createCharges, grant, hold, type Charges, type Grant } from './budgets.ts'
import { createHourSums, type HourSums } from './hours.ts'
import type { Instance, Instances } from './instances.ts'
import { createMeters, type Meters } from './meters.ts'
import type { Names } from './names.ts'
import type { OpenCalls } from './open-calls.ts'
import { deleteRecord, insertRecord, readRecord } from './record-rows.ts'
import type { Sql } from './sql.ts'

/** The tables that calls are written to. */
export interface Tables {
  readonly sql: Sql
  readonly names: Names
  readonly instances: Instances
  /** Whether the record of a call is kept outside of this database. */
  readonly isElsewhere: (id: string) => boolean
}

/** One transaction of one instance. */
interface Work extends Tables {
  readonly meters: Meters
  readonly hours: HourSums
  readonly charges: Charges
  readonly opened: OpenCalls
  readonly now: number
  readonly instance: number
}

/** The closed calls, and whether there are no more. */
export interface Buried {
  readonly closed: number
  readonly isDone: boolean
}

/** Inside a transaction. */
export function writeBatch(tables: Tables, batch: Batch, now: number): BatchResult {
  const { sql, names, instances } = tables
  const { settlements, slices, raises, openings, last } = batch
  const entered = instances.enter(batch, now)
  const work = createWork(tables, now, entered)
  const { instance, opened } = work
  for (const settlement of settlements) settle(work, settlement)
  work.charges.flush()
  for (const slice of slices) hold(sql, names, instance, slice)
  const raised = raises?.map((each) => raise(work, each))
  const verdicts = openings.map((opening) => open(work, opening))
  opened.flush()
  if (last === true && opened.count() === 0) instances.forget(instance, now)
  work.meters.flush()
  work.hours.flush()
  return { isNew: entered.isNew, ...(raised === undefined ? {} : { raised }), verdicts }
}

/** Closes at most `limit` calls of lost instances. Inside a transaction. */
export function buryCalls(tables: Tables, now: number, limit: number): Buried {
  const { instances } = tables
  let closed = 0
  for (const lost of instances.lost(now)) {
    const work = createWork(tables, now, lost)
    const calls = work.opened.some(limit - closed)
    for (const { call, budgets } of calls) {
      close(work, call.id, call.key)
      write(work, call.id, call.key, cutRecord(call), budgets)
    }
    work.opened.flush()
    work.meters.flush()
    work.hours.flush()
    work.charges.flush()
    closed += calls.length
    if (closed >= limit) return { closed, isDone: false }
    instances.forget(work.instance, now)
  }
  return { closed, isDone: true }
}

function createWork(tables: Tables, now: number, { id, calls }: Instance): Work {
  const { sql, names } = tables
  const sums = { meters: createMeters(sql), hours: createHourSums(sql, names), charges: createCharges(sql) }
  return { ...tables, ...sums, opened: calls, now, instance: id }
}

function settle(work: Work, { id, key, record, budgets, limits, tokens }: Settlement): void {
  const wasOpen = close(work, id, key)
  const isWritten =
    record === undefined ? takeBack(work, id, key, budgets) || wasOpen : write(work, id, key, record, budgets)
  if (!isWritten || limits.tokens === undefined) return
  const meter = work.meters.of(work.names.idOf(key))
  meter.bucket = correctTokens(meter.bucket, limits, tokens, work.now)
}

function close({ names, meters, opened }: Work, id: string, key: string): boolean {
  const wasOpen = opened.remove(id)
  if (wasOpen) meters.count(names.idOf(key), -1)
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
  const { names, meters, opened, now } = work
  const { call, limits, tokens, sliceRequests } = opening
  const key = names.idOf(call.key)
  const meter = isLimited(limits) ? meters.of(key) : undefined
  const before = meter === undefined ? EMPTY_BUCKET : correctTokens(meter.bucket, limits, 0, now)
  const rates = ratesOf(before, limits)
  if (opened.has(call.id)) return { granted: sliceRequests.map(() => 0), rates }
  const { bucket, refused, waitMs } = takeFrom(before, limits, tokens, now)
  if (refused !== undefined) return { refused, waitMs, rates }
  if (limits.concurrent !== undefined && meter !== undefined && meter.open >= limits.concurrent)
    return { refused: 'concurrent', rates }
  const granted = grantAll(work, key, sliceRequests, rates)
  if ('refused' in granted) return granted
  opened.put(opening)
  if (meter !== undefined) meter.bucket = bucket
  meters.count(key, 1)
  return { ...granted, rates: ratesOf(bucket, limits) }
}

function raise(work: Work, given: Raise): Verdict {
  const { names, meters, opened } = work
  const { call, sliceRequests } = given
  const key = names.idOf(call.key)
  const before = opened.estimateOf(call.id)
  if (before !== undefined && before >= call.estimate) return { granted: sliceRequests.map(() => 0), rates: {} }
  const verdict = grantAll(work, key, sliceRequests, {})
  if ('refused' in verdict) return verdict
  opened.put(given)
  if (before === undefined) meters.count(key, 1)
  return verdict
}

/** Grants all slice requests, or none of them. */
function grantAll(
  { sql, now, instance }: Work,
  key: number,
  sliceRequests: readonly SliceRequest[],
  rates: Rates,
): Verdict {
  const granted: number[] = []
  for (const request of sliceRequests) {
    const { amount, ...balance } = grant(sql, key, request)
    if (amount === undefined) return outOfBudget(request, balance, now, rates)
    granted.push(amount)
  }
  for (const [index, request] of sliceRequests.entries()) addSlice(sql, key, instance, request, granted[index] ?? 0)
  return { granted, rates }
}

function isLimited({ requests, tokens, concurrent }: Limits): boolean {
  return requests !== undefined || tokens !== undefined || concurrent !== undefined
}

function outOfBudget(
  { period, start }: SliceRequest,
  balance: Omit<Grant, 'amount'>,
  now: number,
  rates: Rates,
): Refused {
  const end = endOf({ period, start })
  return {
    refused: 'budget',
    period,
    ...balance,
    rates,
    waitMs: end === undefined ? undefined : Math.max(0, end - now),
  }
}
