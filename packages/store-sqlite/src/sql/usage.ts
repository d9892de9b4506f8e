import {
  createUsageFold,
  isTime,
  SUM_COLUMNS,
  sumsOf,
  type Dimension,
  type UsagePage,
  type UsageQuery,
  type UsageRow,
} from '@dragoman/accounts/store'
import type { Names } from './names.ts'
import { numberIn, textIn, type Row, type Sql, type Value } from './sql.ts'

/** The primary key of a row of `hours`. */
export type HourCursor = readonly [hour: number, key: number, owner: number, model: number, provider: number]

/** Sums of some hours. Those of a group may go on in the next step. */
export interface UsageStep {
  readonly rows: readonly UsageRow[]
  /** Where the next step begins; absent if this was the last. */
  readonly next?: HourCursor | undefined
}

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
/** The rows of `hours` that one step reads: about 10 ms. */
const STEP = 5000
/** The number of rows that are read within a millisecond. */
const SMALL = 200
const CURSOR = '(hour, key, owner, model, provider)'
const FILTERS = ['key', 'owner', 'model', 'provider'] as const
const EXPRESSION_OF: { readonly [Name in Dimension]: string } = {
  hour: 'hour',
  day: `hour / ${DAY_HOURS}`,
  key: 'key',
  owner: 'owner',
  model: 'model',
  provider: 'provider',
}

/** Reads one page at once, for a thread. */
export function readUsage(sql: Sql, names: Names, query: UsageQuery): UsagePage {
  const fold = createUsageFold(query)
  for (let cursor: HourCursor | undefined; ;) {
    const { rows, next } = stepThroughUsage(sql, names, query, cursor, fold.last())
    for (const row of rows) fold.add(row)
    if (next === undefined) return fold.page()
    cursor = next
  }
}

/** Sums the next hours: at most `STEP` rows, whatever is asked for. Groups after `last` are not needed any more. */
export function stepThroughUsage(
  sql: Sql,
  names: Names,
  query: UsageQuery,
  from: HourCursor | undefined,
  last: readonly string[] | undefined,
): UsageStep {
  const dimensions = [...new Set(query.by)]
  const { conditions, values, isEmpty } = conditionsOf(names, query, last)
  if (isEmpty) return { rows: [] }
  const until = endOf(query, last)
  const begin = from ?? beginOf(query)
  const next = cursorAfter(sql, begin, until)
  const columns = dimensions.map((name) => `${EXPRESSION_OF[name]} AS by_${name}`)
  const sums = SUM_COLUMNS.map((name) => `CAST(sum(${name}) AS TEXT) AS sum_${name}`)
  const groups = dimensions.length === 0 ? '' : `GROUP BY ${dimensions.map((name) => `by_${name}`).join(', ')}`
  const rows = sql.all(
    `SELECT ${[...columns, ...sums].join(', ')} FROM hours WHERE ${CURSOR} > (?, ?, ?, ?, ?) AND ${CURSOR} <= (?, ?, ?, ?, ?)
      AND calls > 0${conditions.map((condition) => ` AND ${condition}`).join('')} ${groups}`,
    ...begin,
    ...(next ?? startOf(until)),
    ...values,
  )
  // Without groups, there is a row without sums if nothing matches.
  const summed = rows.filter((row) => row['sum_calls'] !== null)
  return { rows: summed.map((row) => usageRowOf(row, dimensions, names)), next }
}

/** Names and the bounds of the first dimension. Times are bounded by where the steps begin and end. */
function conditionsOf(names: Names, { by: [first], where, after }: UsageQuery, last: readonly string[] | undefined) {
  const conditions: string[] = []
  const values: Value[] = []
  let isEmpty = false
  for (const filter of FILTERS) {
    const name = where[filter]
    if (name === undefined) continue
    const id = names.find(name)
    isEmpty ||= id === undefined
    conditions.push(`${filter} = ?`)
    values.push(id ?? 0)
  }
  if (first === undefined || isTime(first)) return { conditions, values, isEmpty }
  for (const [operator, bound] of [
    ['>=', after?.[0]],
    ['<=', last?.[0]],
  ] as const) {
    if (bound === undefined) continue
    conditions.push(`(SELECT name FROM names WHERE id = hours.${first}) ${operator} ?`)
    values.push(bound)
  }
  return { conditions, values, isEmpty }
}

/** Whether a report reads more rows than a server should wait for. */
export function isLargeReport(sql: Sql, { from, to }: UsageQuery): boolean {
  const hours = [Math.floor(from / HOUR_MS), Math.floor(to / HOUR_MS)]
  return sql.all(`SELECT 1 FROM hours WHERE hour >= ? AND hour < ? LIMIT 1 OFFSET ${SMALL}`, ...hours).length > 0
}

/** Numbers of names begin with 1, so this is before all rows of its hour. */
function startOf(hour: number): HourCursor {
  return [hour, 0, 0, 0, 0]
}

function beginOf({ from, by: [first], after }: UsageQuery): HourCursor {
  const begin = isTime(first) && after !== undefined ? Math.max(from, Number(after[0])) : from
  return startOf(Math.floor(begin / HOUR_MS))
}

/** The first hour that does not belong to the page. */
function endOf({ to, by: [first] }: UsageQuery, last: readonly string[] | undefined): number {
  const until = Math.floor(to / HOUR_MS)
  if (last === undefined || !isTime(first)) return until
  return Math.min(until, Number(last[0]) / HOUR_MS + (first === 'hour' ? 1 : DAY_HOURS))
}

/** The last row of a step, if rows follow it. */
function cursorAfter(sql: Sql, begin: HourCursor, until: number): HourCursor | undefined {
  const [row] = sql.all(
    `SELECT hour, key, owner, model, provider FROM hours WHERE ${CURSOR} > (?, ?, ?, ?, ?) AND hour < ?
      ORDER BY hour, key, owner, model, provider LIMIT 1 OFFSET ${STEP - 1}`,
    ...begin,
    until,
  )
  if (row === undefined) return undefined
  const number = (column: string): number => numberIn(row, column)
  return [number('hour'), number('key'), number('owner'), number('model'), number('provider')]
}

function usageRowOf(row: Row, by: readonly Dimension[], names: Names): UsageRow {
  const dimensions = by.map((name): [string, string] => {
    const value = numberIn(row, `by_${name}`)
    if (name === 'hour') return [name, String(value * HOUR_MS)]
    if (name === 'day') return [name, String(value * DAY_HOURS * HOUR_MS)]
    return [name, names.nameOf(value)]
  })
  return {
    dimensions: Object.fromEntries(dimensions),
    ...sumsOf((name) => textIn(row, `sum_${name}`)),
  }
}
