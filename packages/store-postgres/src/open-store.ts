import type { Store } from '@dragoman/accounts/store'
import { Pool, type PoolConfig } from 'pg'
import type { RedisOptions } from 'ioredis'
import { createStore } from './create-store.ts'
import { failNamed, namedError } from './errors.ts'
import { migrate } from './migrate.ts'
import { openCounters } from './redis/counters.ts'

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
    const store = createStore({ pool, schema, clock, counters, onError })
    return {
      ...store,
      async close() {
        await store.close()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}
