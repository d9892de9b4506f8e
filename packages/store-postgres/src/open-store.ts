import { PERIODS, type Balance, type Store } from '@dragoman/accounts'
import { Pool, type PoolConfig } from 'pg'
import { packBatch, unpackResult, type PackedResult } from './commit.ts'
import { isId } from './ids.ts'
import { createKeys } from './keys.ts'
import { migrate } from './migrate.ts'
import { createPapers } from './papers.ts'
import { retried } from './retried.ts'
import type { All, First } from './statements.ts'
import { readRecord, readUsage, selectRecords, usageStatement, type RecordRow, type SumRow } from './usage.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`, or options of the package pg. */
  readonly connection: string | PoolConfig
  /** The schema of the tables, which is created if it is missing; `dragoman` if absent. */
  readonly schema?: string | undefined
  /** The time of the store, for tests; that of the database if absent. */
  readonly clock?: { now(): number } | undefined
  /** Receives errors of idle connections, which pg replaces by itself. */
  readonly onError?: ((error: Error) => void) | undefined
}

/** Connections that wait longer are given up: the gateway then does what it is configured to do without its store. */
const CONNECT_MS = 5000
const QUERY_MS = 15_000
const MOST_CONNECTIONS = 10

/** Opens the store and brings its tables to the newest version. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { connection, schema = 'dragoman', clock, onError } = options
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`"${schema}" cannot be the name of a schema.`)
  const given = typeof connection === 'string' ? { connectionString: connection } : connection
  const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: QUERY_MS, max: MOST_CONNECTIONS }
  const pool = new Pool({ application_name: 'dragoman', ...limits, ...given })
  pool.on('error', (error) => onError?.(error))
  try {
    await migrate(pool, schema)
  } catch (error) {
    await pool.end()
    throw error
  }
  return createStore(pool, schema, clock)
}

function createStore(pool: Pool, schema: string, clock: PostgresStoreOptions['clock']): Store {
  const all: All = async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await pool.query<Row>(text, [...values])).rows
  const first: First = async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await all<Row>(text, values))[0]
  const now = (): string => JSON.stringify({ now: clock?.now() })
  return {
    title: `PostgreSQL, schema ${schema}`,
    ...createKeys(schema, all, first),
    async commit(batch) {
      const packed = packBatch(batch, clock?.now())
      const row = await retried(() =>
        first<{ result: PackedResult }>(`select ${schema}.commit_batch($1) as result`, [packed]),
      )
      if (row === undefined) throw new Error('The database has answered nothing.')
      return unpackResult(row.result, batch)
    },
    async buryLost() {
      for (let closed = 0; ;) {
        const row = await retried(() =>
          first<{ closed: number | null }>(`select ${schema}.bury_one($1) as closed`, [now()]),
        )
        if (row?.closed == null) return closed
        closed += row.closed
      }
    },
    async balances(key) {
      const rows = await all<{ period: Balance['period']; start: string; spent: string; held: string }>(
        `select coalesce(b.period, s.period) as period, coalesce(b.start, s.start) as start,
           coalesce(b.spent, 0) as spent, coalesce(s.held, 0) as held
         from (select * from ${schema}.balances where key = $1) b
         full join (select period, start, sum(amount) as held from ${schema}.slices where key = $1 group by period, start) s
         on s.period = b.period and s.start = b.start`,
        [key],
      )
      return rows
        .map(({ period, start, spent, held }) => {
          return { period, start: Number(start), spent: BigInt(spent), held: BigInt(held) }
        })
        .toSorted(
          (one, other) => PERIODS.indexOf(one.period) - PERIODS.indexOf(other.period) || one.start - other.start,
        )
    },
    async usage(query) {
      const { text, values } = usageStatement(schema, query)
      return readUsage(await all<SumRow>(text, values), query.by)
    },
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
      const steps = [
        ['records', 'id', 'at < $1', records],
        ['hours', 'ctid', 'hour < $1', hours],
        ['audit', 'id', 'at < $1', audit],
        ['bodies', 'id', `until < ${schema}.now_ms($1)`, now()],
      ] as const
      let deleted = 0
      for (const [table, column, condition, value] of steps) {
        const old = `select ${column} from ${schema}.${table} where ${condition} limit $2`
        const text = `delete from ${schema}.${table} where ${column} = any(array(${old}))`
        const { rowCount } = await pool.query(text, [value, limit - deleted])
        deleted += rowCount ?? 0
      }
      return deleted
    },
    ...createPapers(schema, all, first),
    close: () => pool.end(),
  }
}
