import { readTokens, type CallRecord } from '@dragoman/accounts/store'
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
