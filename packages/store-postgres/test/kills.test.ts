import { join } from 'node:path'
import { findRedis, startRedis, type RunningRedis } from '@dragoman/testkit/engines'
import { describeKills } from '@dragoman/testkit/kills'
import { afterAll, beforeAll } from 'vitest'
import { openPostgresStore } from '../src/index.ts'
import { useDatabase } from './engine.ts'

const program = findRedis('kills of instances that share PostgreSQL and Redis')
const connection = useDatabase('kills')
let redis: RunningRedis | undefined
let count = 0

beforeAll(async () => {
  if (!program.isSkipped) redis = await startRedis(program)
})
afterAll(() => redis?.stop())

const subjectWith = (name: string, socket: () => string | undefined) => ({
  name,
  script: join(import.meta.dirname, 'instance.ts'),
  async open() {
    const times = { connectionTimeoutMillis: 60_000, query_timeout: 60_000 }
    const path = socket()
    const options = {
      connection: { ...connection, ...times, max: 3 },
      schema: `kills_${++count}`,
      ...(path === undefined ? {} : { redis: { path, commandTimeout: 60_000 } }),
    }
    return { address: JSON.stringify(options), store: await openPostgresStore(options) }
  },
})
const alone = subjectWith('PostgreSQL', () => undefined)

// With Redis, PostgreSQL does everything that it does alone, except limits. So one of the two long tests has it, if there is one.
describeKills({
  killed: program.isSkipped ? alone : subjectWith('PostgreSQL and Redis', () => redis?.socket),
  stopped: alone,
})
