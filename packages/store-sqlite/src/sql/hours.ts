import { SUM_COLUMNS, type CallRecord } from '@dragoman/accounts/store'
import type { Names } from './names.ts'
import type { Sql } from './sql.ts'

const HOUR_MS = 3_600_000

const ADD = `INSERT INTO hours VALUES (?, ?, ?, ?, ?, ${SUM_COLUMNS.map(() => 'CAST(? AS INTEGER)').join(', ')})
  ON CONFLICT (hour, key, owner, model, provider) DO UPDATE SET ${SUM_COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

/** The sums of the records of one transaction, by hour and names. */
export interface HourSums {
  add(record: CallRecord): void
  subtract(record: CallRecord): void
  /** Adds them to those of the database. */
  flush(): void
}

interface HourSum {
  readonly hour: number
  readonly owner: number
  readonly model: number
  readonly provider: number
  readonly values: number[]
}

export function createHourSums(sql: Sql, names: Names): HourSums {
  /** By key: each uses few models in one transaction. */
  const sums = new Map<number, HourSum[]>()
  const flush = (): void => {
    for (const [key, ofKey] of sums) {
      for (const { hour, owner, model, provider, values } of ofKey)
        sql.run(ADD, hour, key, owner, model, provider, ...values)
    }
    sums.clear()
  }
  const change = (record: CallRecord, sign: 1 | -1): void => {
    const key = names.idOf(record.key)
    const owner = names.idOf(record.owner)
    const model = names.idOf(record.model)
    const provider = names.idOf(record.provider)
    const hour = Math.floor(record.at / HOUR_MS)
    const values = valuesOf(record, sign)
    const sum = sums
      .get(key)
      ?.find((each) => each.model === model && each.hour === hour && each.owner === owner && each.provider === provider)
    if (sum !== undefined && add(sum.values, values)) return
    if (sum !== undefined) flush()
    const ofKey = sums.get(key)
    const first = { hour, owner, model, provider, values }
    if (ofKey === undefined) sums.set(key, [first])
    else ofKey.push(first)
  }
  return {
    add: (record) => change(record, 1),
    subtract: (record) => change(record, -1),
    flush,
  }
}

/** In the order of the columns. */
function valuesOf({ outcome, estimated, tokens, cost, ms }: CallRecord, sign: 1 | -1): number[] {
  return [
    sign,
    outcome === 'complete' || outcome === 'aborted' ? 0 : sign,
    estimated ? sign : 0,
    sign * tokens.input,
    sign * tokens.output,
    sign * tokens.cacheRead,
    sign * tokens.cacheWrite5m,
    sign * tokens.cacheWrite1h,
    sign * tokens.reasoning,
    sign * cost,
    sign * ms,
  ]
}

/** Adds numbers to sums. Changes nothing and returns false if a number cannot hold one: SQLite adds it. */
function add(sums: number[], values: readonly number[]): boolean {
  for (let index = 0; index < values.length; index++) {
    if (!Number.isSafeInteger((sums[index] ?? 0) + (values[index] ?? 0))) return false
  }
  for (let index = 0; index < values.length; index++) sums[index] = (sums[index] ?? 0) + (values[index] ?? 0)
  return true
}

export function hasOldHours(sql: Sql, before: number): boolean {
  return sql.all(`SELECT 1 FROM hours WHERE hour < ? LIMIT 1`, Math.ceil(before / HOUR_MS)).length > 0
}

export function pruneHours(sql: Sql, before: number, limit: number): number {
  return sql.all(
    `DELETE FROM hours WHERE (hour, key, owner, model, provider) IN
      (SELECT hour, key, owner, model, provider FROM hours WHERE hour < ? ORDER BY hour LIMIT ?) RETURNING 1`,
    Math.ceil(before / HOUR_MS),
    limit,
  ).length
}
