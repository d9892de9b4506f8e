import type { Store } from '@dragoman/accounts/store'
import type { Pool, QueryResult } from 'pg'
import { createAuditAndBodies } from './audit-and-bodies.ts'
import { createCalls } from './calls.ts'
import { failNamed } from './errors.ts'
import { isId } from './ids.ts'
import { createKeys } from './keys.ts'
import { readRecord, selectRecords, type RecordRow } from './record-rows.ts'
import type { Counters } from './redis/counters.ts'
import type { All, First } from './statements.ts'
import { readUsage } from './usage.ts'

export interface StoreParts {
  readonly pool: Pool
  readonly schema: string
  readonly clock: { now(): number } | undefined
  readonly counters: Counters | undefined
  readonly onError: (error: Error) => void
}

/** The store in a schema that has the newest version. When it is closed, the pool stays open. */
export function createStore({ pool, schema, clock, counters, onError }: StoreParts): Store {
  const query = <Row extends object>(text: string, values: readonly unknown[]): Promise<QueryResult<Row>> =>
    pool.query<Row>(text, [...values]).catch(failNamed)
  const all: All = async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await query<Row>(text, values)).rows
  const first: First = async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await all<Row>(text, values))[0]
  const now = (): string => JSON.stringify({ now: clock?.now() })
  return {
    title: `PostgreSQL${counters === undefined ? '' : ' and Redis'}, schema ${schema}`,
    ...createKeys(schema, all, first),
    ...createCalls({ schema, all, first, clock, counters, onError }),
    usage: (query) => readUsage(schema, all, query),
    async record(id) {
      if (!isId(id)) return undefined
      const row = await first<RecordRow>(`${selectRecords(schema)} where r.id = $1`, [id])
      return row === undefined ? undefined : readRecord(row)
    },
    async records(after, limit) {
      const rows = await all<RecordRow>(`${selectRecords(schema)} where r.id > $1 order by r.id limit $2`, [
        isId(after) ? after : '0'.repeat(32),
        limit,
      ])
      return rows.map(readRecord)
    },
    async prune({ records, hours, audit }, limit) {
      // Ids of records begin with their times, so the oldest ones are found by the primary key, however many there are.
      const steps = [
        ['records', 'id', `(select id, at from ${schema}.records order by id limit $2) first`, 'at < $1', records],
        ['hours', 'ctid', `${schema}.hours`, 'hour < $1', hours],
        ['audit', 'id', `${schema}.audit`, 'at < $1', audit],
        // A time that is read once can be looked up in the index.
        ['bodies', 'id', `${schema}.bodies`, `until < (select ${schema}.now_ms($1))`, now()],
      ] as const
      let deleted = 0
      for (const [table, column, source, condition, value] of steps) {
        const old = `select ${column} from ${source} where ${condition} limit $2`
        const text = `delete from ${schema}.${table} where ${column} = any(array(${old}))`
        const { rowCount } = await query(text, [value, limit - deleted])
        deleted += rowCount ?? 0
      }
      return deleted
    },
    ...createAuditAndBodies(schema, all, first),
    async close() {
      counters?.close()
    },
  }
}
