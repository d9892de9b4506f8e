import { join } from 'node:path'
import { describeKills } from '@dragoman/testkit'
import { afterAll, beforeAll } from 'vitest'
import { openPostgresStore } from '../src/index.ts'
import { startPostgres, type RunningPostgres } from './postgres.ts'

let postgres: RunningPostgres
let count = 0

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

describeKills('PostgreSQL', {
  script: join(import.meta.dirname, 'instance.ts'),
  async open() {
    const times = { connectionTimeoutMillis: 60_000, query_timeout: 60_000 }
    const options = { connection: { ...postgres.connection, ...times, max: 3 }, schema: `kills_${++count}` }
    return { place: JSON.stringify(options), store: await openPostgresStore(options) }
  },
})
