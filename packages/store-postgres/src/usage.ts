import {
  isTime,
  rowsOf,
  SUM_COLUMNS,
  sumsOf,
  valuesOf,
  type Dimension,
  type SumColumn,
  type UsagePage,
  type UsageQuery,
  type UsageRow,
} from '@dragoman/accounts/store'
import type { All } from './statements.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Reports by time are summed in parts of about so many rows, so that a page does not sum the whole report. */
const PART = 20_000

/** How a dimension is read from sums with their names. */
const EXPRESSION_OF: { readonly [Name in Dimension]: string } = {
  hour: 'hour',
  day: 'day',
  key: 'who_name->>0',
  owner: 'who_name->>1',
  provider: 'route_name->>0',
  model: 'route_name->>1',
}

/** Where a dimension of time comes from. */
const TIME_OF: { readonly [Name in Dimension]?: string } = {
  hour: 'hour',
  day: `hour - hour % ${DAY_MS}`,
}

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Reads one page. The database sums and sorts. */
export async function readUsage(schema: string, all: All, query: UsageQuery): Promise<UsagePage> {
  const most = rowsOf(query.limit)
  const rows: UsageRow[] = []
  for (let from = beginOf(query); ;) {
    const to = await endOfPart(schema, all, from, query)
    // One more, to know whether there is another page.
    const { text, values } = usageStatement(schema, { ...query, from, to, limit: most + 1 - rows.length })
    for (const row of await all<SumRow>(text, values)) rows.push(usageRowOf(row, query.by))
    const end = rows[most - 1]
    if (rows.length > most && end !== undefined) return { rows: rows.slice(0, most), next: valuesOf(end, query.by) }
    if (to >= query.to) return { rows }
    from = to
  }
}

function beginOf({ from, by: [first], after }: UsageQuery): number {
  return isTime(first) && after !== undefined ? Math.max(from, Number(after[0])) : from
}

/** Where a part ends that no group goes beyond. */
async function endOfPart(schema: string, all: All, from: number, { to, by }: UsageQuery): Promise<number> {
  const [first] = by
  if (!isTime(first)) return to
  const text = `select hour from ${schema}.hours where hour >= $1 and hour < $2 order by hour limit 1 offset ${PART}`
  const [row] = await all<{ readonly hour: string }>(text, [floor(from, HOUR_MS), floor(to, HOUR_MS)])
  const step = first === 'hour' ? HOUR_MS : DAY_MS
  return row === undefined ? to : Math.min(to, floor(Number(row.hour), step) + step)
}

/**
 * Sums hours by who and route first, then reads the names of these few rows, and then sums by dimensions. Other names are not JSON. So the
 * steps are materialized: otherwise the planner may read the names of a condition before it has joined them.
 */
export function usageStatement(schema: string, query: UsageQuery & { readonly limit: number }): Statement {
  const { from, to, where, after, limit } = query
  const by = [...new Set(query.by)]
  const filters = Object.entries(where).filter((filter): filter is [Dimension, string] => filter[1] !== undefined)
  const conditions = filters.map(([name], index) => `${EXPRESSION_OF[name]} = $${index + 4}`)
  const times = by.flatMap((name) => (TIME_OF[name] === undefined ? [] : `${TIME_OF[name]} as ${name}`))
  const sums = (read: (name: string) => string): string =>
    SUM_COLUMNS.map((name) => `${read(name)} as ${name}`).join(', ')
  const text = `with summed as materialized (
      select ${['who', 'route', ...times].join(', ')}, ${sums((name) => `sum(${name})`)}
      from ${schema}.hours
      where hour >= $1 and hour < $2 and calls <> 0
      group by ${['who', 'route', ...times].map((_, index) => index + 1).join(', ')}
    ),
    named as materialized (
      select summed.*, whose.text::jsonb as who_name, routed.text::jsonb as route_name
      from summed join ${schema}.names whose on whose.id = summed.who join ${schema}.names routed on routed.id = summed.route
    ),
    grouped as (
      select ${[...by.map((name) => `${EXPRESSION_OF[name]} as ${name}_name`), sums((name) => `sum(${name})::text`)].join(', ')}
      from named
      ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
      ${by.length === 0 ? '' : `group by ${by.map((_, index) => index + 1).join(', ')}`}
      having count(*) > 0
    )
    select * from grouped
    ${after === undefined || by.length === 0 ? '' : `where ${laterThan(by, filters.length + 4)}`}
    ${by.length === 0 ? '' : `order by ${by.map(sortedBy).join(', ')}`} limit $3`
  const values = [floor(from, HOUR_MS), floor(to, HOUR_MS), limit, ...filters.map(([, value]) => value)]
  return { text, values: [...values, ...(by.length === 0 ? [] : (after ?? []))] }
}

/** Names are sorted by code points, as in every store, and not by the language of the database. */
function sortedBy(name: Dimension): string {
  return isTime(name) ? `${name}_name` : `${name}_name collate "C"`
}

function laterThan(by: readonly Dimension[], first: number): string {
  const values = by.map((name, index) => `$${first + index}::${isTime(name) ? 'bigint' : 'text'}`)
  return `(${by.map(sortedBy).join(', ')}) > (${values.join(', ')})`
}

/** A row of that statement: times and sums as text. */
type SumRow = { readonly [Name in SumColumn | `${Dimension}_name`]: string }

function usageRowOf(row: SumRow, by: readonly Dimension[]): UsageRow {
  return {
    dimensions: Object.fromEntries(by.map((name) => [name, row[`${name}_name`]])),
    ...sumsOf((name) => row[name]),
  }
}

function floor(time: number, step: number): number {
  return Math.floor(time / step) * step
}
