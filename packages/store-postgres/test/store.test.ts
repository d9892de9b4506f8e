import { describeStore, describeUnstorable } from '@dragoman/testkit'
import { Pool } from 'pg'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgresStore } from '../src/index.ts'
import { startPostgres, type RunningPostgres } from './postgres.ts'
import { findRedis, startRedis, type RunningRedis } from './redis.ts'

const TABLES = 'names, keys, instances, slices, balances, buckets, open_calls, records, hours, audit, bodies'

let postgres: RunningPostgres
let pool: Pool

beforeAll(async () => {
  postgres = await startPostgres()
  pool = new Pool({ ...postgres.connection, options: '-c search_path=dragoman' })
}, 60_000)
afterAll(async () => {
  await pool.end()
  await postgres.stop()
})

interface Clock {
  now(): number
}

const connect = (clock: Clock, redis?: string) =>
  openPostgresStore({
    connection: { ...postgres.connection, max: 2, connectionTimeoutMillis: 60_000, query_timeout: 60_000 },
    redis: redis === undefined ? undefined : { path: redis, commandTimeout: 60_000 },
    clock,
    onError(error) {
      throw error
    },
  })

/** Empty tables, which is quicker than new ones. */
const open = async (clock: Clock, redis?: string) => {
  const store = await connect(clock, redis)
  await pool.query(`truncate ${TABLES}; update key_revisions set latest = 0`)
  return store
}

describeStore(
  'PostgreSQL',
  (clock) => open(clock),
  (clock) => connect(clock),
)
describeUnstorable('PostgreSQL', (clock) => open(clock))

const program = findRedis('limits in Redis')

describe.skipIf(program.isSkipped)('with Redis', () => {
  let redis: RunningRedis
  let client: Redis
  beforeAll(async () => {
    redis = await startRedis(program)
    client = new Redis(redis.socket)
  })
  afterAll(async () => {
    client.disconnect()
    await redis.stop()
  })

  const openEmpty = async (clock: Clock) => {
    await client.flushall()
    return open(clock, redis.socket)
  }
  describeStore('PostgreSQL and Redis', openEmpty, (clock) => connect(clock, redis.socket))
  describeUnstorable('PostgreSQL and Redis', openEmpty)
})
