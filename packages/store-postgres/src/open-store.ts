import type { Store } from '@dragoman/accounts/store'
import { Pool, type PoolConfig, type QueryResult } from 'pg'
import type { RedisOptions } from 'ioredis'
import { createCalls } from './calls.ts'
import { failNamed, namedError } from './errors.ts'
import { isId } from './ids.ts'
import { createKeys } from './keys.ts'
import { migrate } from './migrate.ts'
import { createPapers } from './papers.ts'
import { openCounters, type Counters } from './redis/counters.ts'
import type { All, First } from './statements.ts'
import { readRecord, readUsage, selectRecords, usageStatement, type RecordRow, type SumRow } from './usage.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`, or options of the package pg. */
  readonly connection: string | PoolConfig
  /**
   * `redis://user:password@host:6379`, the path of a socket, or options of the package ioredis. Limits are then decided in Redis, which is
   * faster. If absent, or while Redis is down, PostgreSQL decides them.
   */
  readonly redis?: string | RedisOptions | undefined
  /** The schema of the tables, which is created if it is missing; `dragoman` if absent. */
  readonly schema?: string | undefined
  /** The time of the store, for tests; that of the database if absent. */
  readonly clock?: { now(): number } | undefined
  /** Receives errors that the store recovers from by itself: those of idle connections, and of Redis. */
  readonly onError?: ((error: Error) => void) | undefined
}

/** Connections that wait longer are given up: the gateway then does what it is configured to do without its store. */
const CONNECT_MS = 5000
const QUERY_MS = 15_000
const MOST_CONNECTIONS = 10

/** Opens the store and brings its tables to the newest version. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { connection, redis, schema = 'dragoman', clock, onError = () => {} } = options
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`"${schema}" cannot be the name of a schema.`)
  const given = typeof connection === 'string' ? { connectionString: connection } : connection
  const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: QUERY_MS, max: MOST_CONNECTIONS }
  const pool = new Pool({ application_name: 'dragoman', ...limits, ...given })
  pool.on('error', (error) => onError(namedError(error)))
  try {
    await migrate(pool, schema).catch(failNamed)
    const counters = redis === undefined ? undefined : await openCounters({ redis, tag: schema, clock, onError })
    return createStore({ pool, schema, clock, counters, onError })
  } catch (error) {
    await pool.end()
    throw error
  }
}

interface Parts {
  readonly pool: Pool
  readonly schema: string
  readonly clock: PostgresStoreOptions['clock']
  readonly counters: Counters | undefined
  readonly onError: (error: Error) => void
}

function createStore({ pool, schema, clock, counters, onError }: Parts): Store {
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
      // Ids of records begin with their times, so the oldest ones are found by the primary key, however many there are.
      const steps = [
        ['records', 'id', `(select id, at from ${schema}.records order by id limit $2) first`, 'at < $1', records],
        ['hours', 'ctid', `${schema}.hours`, 'hour < $1', hours],
        ['audit', 'id', `${schema}.audit`, 'at < $1', audit],
        ['bodies', 'id', `${schema}.bodies`, `until < ${schema}.now_ms($1)`, now()],
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
    ...createPapers(schema, all, first),
    async close() {
      counters?.close()
      await pool.end()
    },
  }
}
