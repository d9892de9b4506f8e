import {
  inOrder,
  SUM_COLUMNS,
  sumsOf,
  type CallRecord,
  type Dimension,
  type UsageQuery,
  type UsageRow,
} from '@dragoman/accounts/store'
import type { Names } from './names.ts'
import { numberIn, textIn, type Row, type Sql, type Value } from './sql.ts'

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

const EXPRESSION_OF: { readonly [Name in Dimension]: string } = {
  hour: 'hour',
  day: 'hour / 24',
  key: 'key',
  owner: 'owner',
  model: 'model',
  provider: 'provider',
}
const FILTERS = ['key', 'owner', 'model', 'provider'] as const

export function readUsage(sql: Sql, names: Names, { from, to, by, where }: UsageQuery): readonly UsageRow[] {
  const values: Value[] = [Math.floor(from / HOUR_MS), Math.floor(to / HOUR_MS)]
  const conditions = ['hour >= ?', 'hour < ?', 'calls > 0']
  for (const filter of FILTERS) {
    const name = where[filter]
    if (name === undefined) continue
    const id = names.find(name)
    if (id === undefined) return []
    conditions.push(`${filter} = ?`)
    values.push(id)
  }
  const dimensions = [...new Set(by)]
  const columns = dimensions.map((name) => `${EXPRESSION_OF[name]} AS by_${name}`)
  const sums = SUM_COLUMNS.map((name) => `CAST(sum(${name}) AS TEXT) AS sum_${name}`)
  const groups = dimensions.length === 0 ? '' : `GROUP BY ${dimensions.map((name) => `by_${name}`).join(', ')}`
  const rows = sql.all(
    `SELECT ${[...columns, ...sums].join(', ')} FROM hours WHERE ${conditions.join(' AND ')} ${groups}`,
    ...values,
  )
  // Without groups, there is a row without sums if nothing matches.
  const usage = rows.filter((row) => row['sum_calls'] !== null).map((row) => usageRowOf(row, dimensions, names))
  return inOrder(usage, by)
}

/** Whether a report has more rows to read than a server should wait for. */
export function isLargeReport(sql: Sql, { from, to }: UsageQuery): boolean {
  const hours = [Math.floor(from / HOUR_MS), Math.floor(to / HOUR_MS)]
  return sql.all(`SELECT 1 FROM hours WHERE hour >= ? AND hour < ? LIMIT 1 OFFSET 2000`, ...hours).length > 0
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

function usageRowOf(row: Row, by: readonly Dimension[], names: Names): UsageRow {
  const dimensions = by.map((name): [string, string] => {
    const value = numberIn(row, `by_${name}`)
    if (name === 'hour') return [name, String(value * HOUR_MS)]
    if (name === 'day') return [name, String(value * 24 * HOUR_MS)]
    return [name, names.nameOf(value)]
  })
  return {
    dimensions: Object.fromEntries(dimensions),
    ...sumsOf((name) => textIn(row, `sum_${name}`)),
  }
}
