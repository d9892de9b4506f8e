import {
  inOrder,
  readTokens,
  SUM_COLUMNS,
  sumsOf,
  type CallRecord,
  type Dimension,
  type SumColumn,
  type UsageQuery,
  type UsageRow,
} from '@dragoman/accounts/store'
import { unpackItems } from './items.ts'
import { readRoute, readWho } from './names.ts'
import { OUTCOMES } from './outcomes.ts'

/** A row of `records` with its names. Integers of eight bytes and numerics come as text. */
export interface RecordRow {
  readonly id: string
  readonly at: string
  readonly cost: string
  readonly input: string | null
  readonly output: string | null
  readonly cache_read: string | null
  readonly cache_write_5m: string | null
  readonly cache_write_1h: string | null
  readonly reasoning: string | null
  readonly who: string
  readonly route: string
  readonly asked: string
  readonly losses: string | null
  readonly ms: string
  readonly first_byte: string | null
  readonly attempts: number
  readonly status: number
  readonly outcome: number
  readonly estimated: boolean
  readonly conversation: string | null
  readonly item_names: string | null
  readonly items: string | null
}

/** Selects records with their names; `where`, `order by` and `limit` may follow. */
export function selectRecords(schema: string): string {
  return `select replace(r.id::text, '-', '') as id, r.at, r.cost, r.input, r.output, r.cache_read, r.cache_write_5m,
      r.cache_write_1h, r.reasoning, who.text as who, route.text as route, asked.text as asked, losses.text as losses, r.ms,
      r.first_byte, r.attempts, r.status, r.outcome, r.estimated, encode(r.conversation, 'hex') as conversation,
      item_names.text as item_names, encode(r.items, 'hex') as items
    from ${schema}.records r
    join ${schema}.names who on who.id = r.who
    join ${schema}.names route on route.id = r.route
    join ${schema}.names asked on asked.id = r.asked
    left join ${schema}.names losses on losses.id = r.losses
    left join ${schema}.names item_names on item_names.id = r.item_names`
}

export function readRecord(row: RecordRow): CallRecord {
  return {
    id: row.id,
    at: Number(row.at),
    ...readWho(row.who),
    conversation: row.conversation ?? '',
    asked: row.asked,
    ...readRoute(row.route),
    outcome: OUTCOMES[row.outcome] ?? 'failed',
    status: row.status,
    attempts: row.attempts,
    tokens: readTokens((column) => Number(row[column] ?? 0)),
    cost: Number(row.cost),
    items: row.item_names === null || row.items === null ? [] : unpackItems(row.item_names, row.items),
    estimated: row.estimated,
    losses: row.losses === null ? [] : (JSON.parse(row.losses) as string[]), // written by packRecord
    firstByteMs: row.first_byte === null ? undefined : Number(row.first_byte),
    ms: Number(row.ms),
  }
}

const HOUR_MS = 3_600_000

/** How a dimension is read from sums with their names. */
const EXPRESSION_OF: { readonly [Name in Dimension]: string } = {
  hour: 'hour::text',
  day: 'day::text',
  key: 'who_name->>0',
  owner: 'who_name->>1',
  provider: 'route_name->>0',
  model: 'route_name->>1',
}

/** Where a dimension of time comes from. */
const TIME_OF: { readonly [Name in Dimension]?: string } = {
  hour: 'hour',
  day: 'hour - hour % 86400000',
}

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Sums hours by who and route first, then reads the names of these few rows, and then sums by dimensions. Other names are no JSON. So the
 * steps are materialized: otherwise the planner may read the names of a condition before it has joined them.
 */
export function usageStatement(schema: string, { from, to, by, where }: UsageQuery): Statement {
  const filters = Object.entries(where).filter((filter): filter is [Dimension, string] => filter[1] !== undefined)
  const conditions = filters.map(([name], index) => `${EXPRESSION_OF[name]} = $${index + 3}`)
  const columns = by.map((name) => `${EXPRESSION_OF[name]} as ${name}_name`)
  const used = new Set([...by, ...filters.map(([name]) => name)])
  const times = [...used].flatMap((name) => (TIME_OF[name] === undefined ? [] : `${TIME_OF[name]} as ${name}`))
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
    )
    select ${[...columns, sums((name) => `sum(${name})::text`)].join(', ')}
    from named
    ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
    ${by.length === 0 ? '' : `group by ${by.map((_, index) => index + 1).join(', ')}`}
    having count(*) > 0`
  return { text, values: [floor(from), floor(to), ...filters.map(([, value]) => value)] }
}

/** A row of that statement: all sums as text. */
export type SumRow = { readonly [Name in SumColumn | `${Dimension}_name`]: string }

export function readUsage(rows: readonly SumRow[], by: readonly Dimension[]): readonly UsageRow[] {
  return inOrder(
    rows.map((row) => ({
      dimensions: Object.fromEntries(by.map((name) => [name, row[`${name}_name`]])),
      ...sumsOf((name) => row[name]),
    })),
    by,
  )
}

function floor(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS
}
