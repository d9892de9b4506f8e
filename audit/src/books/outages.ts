import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres, type RunningPostgres } from '@dragoman/testkit/engines'
import { postgresUrl } from '../kept/deployment.ts'
import type { Scenario, Stage, StageServer } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { NotStartedError } from '../server/start-server.ts'
import { until } from '../server/until.ts'
import { callsOf, makeCall, makeCalls } from './calls.ts'
import { compareBooks } from './compare.ts'
import { PROMPT } from './judge.ts'

const SECRET = 'sk-of-the-configuration-0123456789abcdef'
const AT_ONCE = 6
/** How long a store waits for a sign of life of an instance. */
const LOST_MS = 30_000

async function withPostgres(
  stage: Stage,
  more: StageServer = {},
): Promise<{ postgres: RunningPostgres; options: StageServer }> {
  const postgres = await startPostgres(import.meta.url)
  stage.defer(() => postgres.stop())
  const options = {
    data: stage.folder(),
    ...more,
    environment: { DRAGOMAN_DATABASE_URL: postgresUrl(postgres.connection), CI_KEY: SECRET, ...more.environment },
  }
  return { postgres, options }
}

/** A key of the configuration can be checked without the store. */
const KEYS = [{ name: 'ci', secret: '${CI_KEY}', budgets: { total: 1000 } }]

async function runThroughOutage(stage: Stage, onLoss: 'refuse' | 'serve'): Promise<void> {
  const { upstream, start, size, check } = stage
  const { postgres, options } = await withPostgres(stage, { config: { accounts: { onLoss }, keys: KEYS } })
  const server = await start(options)
  const statuses = new Map<string, number>()
  const make = async (prefix: string, many: number): Promise<void> =>
    makeCalls(callsOf(['answer', 'answer', 'refuse'], many, prefix), AT_ONCE, async (call) => {
      const { status } = await makeCall(server.url, SECRET, call, upstream)
      statuses.set(call.name, status)
    })
  const many = size === 'full' ? 400 : 30
  await make('m-before', many)
  // Some calls are under way when the database goes.
  const during = make('m-during', many)
  await postgres.kill()
  await during
  await make('m-away', many)
  const away = new Set([...statuses].flatMap(([name, status]) => (name.startsWith('m-away') ? status : [])))
  await postgres.restart()
  await until(
    'calls to be admitted again',
    async () => (await ask(server.url, SECRET, 'chat', { model: 'house/m-probe', prompt: PROMPT })).status === 200,
    300,
  )
  await make('m-after', many)
  const wanted = onLoss === 'serve' ? [...away].every((status) => status !== 503) : [...away].join() === '503'
  check(`while the database is away, calls are ${onLoss === 'serve' ? 'served' : 'refused with 503'}`, wanted, [
    ...away,
  ])
  const refused = [...statuses].filter(([, status]) => status === 503).map(([name]) => name)
  check(
    'no call that was refused with 503 has reached the upstream',
    refused.every((name) => upstream.of(name).length === 0),
    refused.length,
  )
  await compareBooks(stage, server, [])
}

export const outage: Scenario = {
  name: 'outage',
  attack: 'The database is killed while calls are under way, and comes back; onLoss is refuse.',
  rule: 'Calls are refused with 503 meanwhile, and all others are in the books, call by call.',
  before: 'held',
  run: (stage) => runThroughOutage(stage, 'refuse'),
}

export const outageServe: Scenario = {
  name: 'outage-serve',
  attack: 'The database is killed while calls are under way, and comes back; onLoss is serve.',
  rule: 'Calls are served meanwhile, and all are in the books, call by call, when it is back.',
  before: 'held',
  run: (stage) => runThroughOutage(stage, 'serve'),
}

export const refusedThenCharged: Scenario = {
  name: 'refused-then-charged',
  waits: true,
  attack:
    'The database dies while calls are being opened, their callers get a 503, and the instance dies before the database is back.',
  rule: 'A call that was refused with 503 is never charged.',
  before: 'it could be charged as cut',
  async run(stage) {
    const { start, size, upstream, check } = stage
    const { postgres, options } = await withPostgres(stage, { config: { keys: KEYS } })
    const server = await start(options)
    const refused: string[] = []
    const calls = callsOf(['answer'], size === 'full' ? 400 : 60)
    const making = makeCalls(calls, AT_ONCE * 4, async (call) => {
      const { status } = await makeCall(server.url, SECRET, call, upstream)
      if (status === 503) refused.push(call.name)
    })
    await until('the first calls', () => upstream.entries.length > 5)
    await postgres.kill()
    await making
    await server.kill()
    await postgres.restart()
    const other = await start(options)
    // The store gives the dead instance up after this time.
    await pause(LOST_MS + 5000)
    const records = await other.admin.records()
    const charged = records.filter(({ asked, nanos }) => nanos > 0n && refused.includes(asked.split('/').at(-1) ?? ''))
    check('calls were refused', refused.length > 0, refused.length)
    check(
      'none of them is charged',
      charged.length === 0,
      charged.map(({ asked, outcome }) => `${asked} ${outcome}`).slice(0, 5),
    )
  },
}

export const restartWhileAway: Scenario = {
  name: 'restart-while-away',
  attack: 'A server is restarted while the database is away.',
  rule: 'It starts; with onLoss serve it serves, with refuse it refuses, and both go on when the database is back.',
  before: 'it exited with code 1, with serve too',
  async run(stage) {
    const { start, check } = stage
    for (const onLoss of ['serve', 'refuse'] as const) {
      const { postgres, options } = await withPostgres(stage, { config: { accounts: { onLoss }, keys: KEYS } })
      const first = await start(options)
      await first.stop()
      await postgres.kill()
      try {
        const server = await start(options)
        const { status } = await ask(server.url, SECRET, 'chat', { model: 'house/m-1' })
        check(
          `${onLoss}: calls are ${onLoss === 'serve' ? 'served' : 'refused'}`,
          status === (onLoss === 'serve' ? 200 : 503),
          status,
        )
        await postgres.restart()
        await until(
          'calls to be served',
          async () => (await ask(server.url, SECRET, 'chat', { model: 'house/m-2' })).status === 200,
          300,
        )
        check(`${onLoss}: it goes on when the database is back`, true)
      } catch (error) {
        if (!(error instanceof NotStartedError)) throw error
        check(`${onLoss}: it starts`, false, error.lines.at(-1))
      }
    }
  },
}

export const firstStartPostgres: Scenario = {
  name: 'first-start-postgres',
  attack: 'The first start with PostgreSQL, without a data folder.',
  rule: 'There is an admin key, and it works.',
  before: 'no admin key was made, 3 of 3',
  async run(stage) {
    const { options } = await withPostgres(stage)
    const data = join(stage.folder(), 'not', 'there')
    const server = await stage.start({ ...options, data, makesData: false })
    stage.check('the key is in the folder', existsSync(join(data, 'admin-key')))
    if (!existsSync(join(data, 'admin-key'))) return
    const { status } = await server.admin.ask('GET', '/keys')
    stage.check('it works', status === 200, status)
  },
}
