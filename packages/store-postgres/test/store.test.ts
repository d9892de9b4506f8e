import { describeStore } from '@dragoman/testkit'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { openPostgresStore } from '../src/index.ts'
import { startPostgres, type RunningPostgres } from './postgres.ts'

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

const connect = (clock: { now(): number }) =>
  openPostgresStore({
    connection: { ...postgres.connection, max: 2, connectionTimeoutMillis: 60_000, query_timeout: 60_000 },
    clock,
  })

/** Empty tables, which is quicker than new ones. */
const open = async (clock: { now(): number }) => {
  const store = await connect(clock)
  await pool.query(`truncate ${TABLES}; update key_revisions set latest = 0`)
  return store
}

describeStore('PostgreSQL', open, connect)
