import { findRedis, startRedis, type RunningRedis } from '@dragoman/testkit/engines'
import { describeStore, describeStoredCalls, describeUnstorable } from '@dragoman/testkit/stores'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { createStore } from '../src/create-store.ts'
import { migrate } from '../src/migrate.ts'
import { openCounters } from '../src/redis/counters.ts'
import { useDatabase } from './engine.ts'

const TABLES = [
  'names',
  'keys',
  'instances',
  'batch_numbers',
  'slices',
  'balances',
  'buckets',
  'open_calls',
  'records',
  'hours',
  'audit',
  'bodies',
]
const schema = 'dragoman'

const connection = useDatabase('stores')
// All stores share connections: each new one has to compile the functions again.
const pool = new Pool({ ...connection, max: 4, connectionTimeoutMillis: 60_000, query_timeout: 60_000 })
beforeAll(() => migrate(pool, schema))
afterAll(() => pool.end())

interface Clock {
  now(): number
}

const connect = async (clock: Clock, redis?: string) => {
  const onError = (error: Error) => {
    throw error
  }
  const counters =
    redis === undefined
      ? undefined
      : await openCounters({ redis: { path: redis, commandTimeout: 60_000 }, tag: schema, clock, onError })
  return createStore({ pool, schema, clock, counters, onError })
}

/** Empty tables, which is quicker than new ones, and quicker than `truncate`, which makes new files. */
const open = async (clock: Clock, redis?: string) => {
  const empty = TABLES.map((table) => `delete from ${schema}.${table};`).join(' ')
  await pool.query(`${empty} update ${schema}.key_revisions set latest = 0`)
  return connect(clock, redis)
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
  // Everything else is done by PostgreSQL alone.
  describeStoredCalls('PostgreSQL and Redis', openEmpty, (clock) => connect(clock, redis.socket))
  describeUnstorable('PostgreSQL and Redis', openEmpty)
})
