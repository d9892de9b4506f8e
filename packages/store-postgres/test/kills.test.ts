import { join } from 'node:path'
import { describeKilled, describeStopped } from '@dragoman/testkit'
import { afterAll, beforeAll } from 'vitest'
import { openPostgresStore } from '../src/index.ts'
import { startPostgres, type RunningPostgres } from './postgres.ts'
import { findRedis, startRedis, type RunningRedis } from './redis.ts'

const program = findRedis('kills of instances that share PostgreSQL and Redis')
let postgres: RunningPostgres
let redis: RunningRedis | undefined
let count = 0

beforeAll(async () => {
  postgres = await startPostgres()
  if (!program.isSkipped) redis = await startRedis(program)
})
afterAll(() => Promise.all([postgres.stop(), redis?.stop()]))

const subjectWith = (socket: () => string | undefined) => ({
  script: join(import.meta.dirname, 'instance.ts'),
  async open() {
    const times = { connectionTimeoutMillis: 60_000, query_timeout: 60_000 }
    const path = socket()
    const options = {
      connection: { ...postgres.connection, ...times, max: 3 },
      schema: `kills_${++count}`,
      ...(path === undefined ? {} : { redis: { path, commandTimeout: 60_000 } }),
    }
    return { place: JSON.stringify(options), store: await openPostgresStore(options) }
  },
})
const alone = subjectWith(() => undefined)

// With Redis, PostgreSQL does everything that it does alone, except limits. So one of the two long tests has it, if there is one.
if (program.isSkipped) describeKilled('PostgreSQL', alone)
else
  describeKilled(
    'PostgreSQL and Redis',
    subjectWith(() => redis?.socket),
  )
describeStopped('PostgreSQL', alone)
