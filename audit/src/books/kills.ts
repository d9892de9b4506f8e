import { setTimeout as pause } from 'node:timers/promises'
import { findRedis, startPostgres, startRedis } from '@dragoman/testkit/engines'
import { postgresUrl } from '../kept/deployment.ts'
import type { Scenario, Stage, StageServer } from '../scenario.ts'
import type { Progress } from '../upstream/ledger.ts'
import { callsOf, makeCall, makeCalls } from './calls.ts'
import { compareBooks } from './compare.ts'
import { startFleet, type Instance } from './fleet.ts'

const INSTANCES = { full: 3, short: 2 }
const AT_ONCE = 9
/** A call that has ended this long before a kill is settled. */
const SETTLED_MS = 2000
/** Between two kills. */
const PAUSE_MS = 300

function isOver(progress: Progress): boolean {
  return progress === 'ended' || progress === 'refused'
}

async function runAndKill(stage: Stage, options: StageServer): Promise<void> {
  const { upstream, size } = stage
  const fleet = await startFleet(stage, INSTANCES[size], options)
  const { admin } = fleet.any()
  const keys = [
    await admin.createKey({ name: 'one', budgets: { total: '1000' } }),
    await admin.createKey({ name: 'two', budgets: { total: '1000' } }),
  ]
  const madeBy = new Map<string, { readonly instance: Instance; endedAt: number }>()
  const planned = callsOf(['answer', 'answer', 'refuse'], size === 'full' ? 3000 : 60)
  // Long enough that there are calls under way whenever an instance is killed.
  const calls = planned.map((call, index) => ({ ...call, plan: { ...call.plan, delayMs: 20 + ((index * 31) % 180) } }))
  const running = { isOver: false }
  // A server that has just started may still be loading what its first calls need.
  const isBusy = (instance: Instance): boolean =>
    upstream.entries.some(({ model, progress }) => !isOver(progress) && madeBy.get(model)?.instance === instance)
  const killing = (async () => {
    for (let kill = 0; kill < (size === 'full' ? 20 : 1) && !running.isOver; kill++) {
      await pause(PAUSE_MS)
      await fleet.killOne((instance) => running.isOver || isBusy(instance))
    }
  })()
  const isKilled = (name: string): boolean => {
    const made = madeBy.get(name)
    const killedAt = made?.instance.killedAt
    return made !== undefined && killedAt !== undefined && made.endedAt > killedAt - SETTLED_MS
  }
  await makeCalls(calls, AT_ONCE, async (call) => {
    const instance = fleet.next()
    const made = { instance, endedAt: Number.POSITIVE_INFINITY }
    madeBy.set(call.name, made)
    await makeCall(instance.server.url, keys[call.plan.bills.input % 2]?.secret ?? '', call, upstream)
    made.endedAt = performance.now()
  })
  running.isOver = true
  await killing
  stage.check('instances were killed', fleet.kills() > 0, fleet.kills())
  await compareBooks(
    stage,
    fleet.any(),
    keys.map(({ id }) => id),
    isKilled,
  )
}

export const kills: Scenario = {
  name: 'kills',
  waits: true,
  attack:
    'Instances share one SQLite file, and are killed (SIGKILL) and replaced while conversations and reranking are under way.',
  rule: 'Each call has one record: with the cost that the upstream has reported, or, if its instance was killed, its estimate and "cut".',
  before: 'held: no record was lost or doubled in 6,200 calls under 41 kills',
  run: (stage) =>
    runAndKill(stage, {
      data: stage.folder(),
      config: { routing: { retries: 0, breaker: { faults: 1000, share: 1 } } },
    }),
}

export const killsPostgres: Scenario = {
  name: 'kills-postgres',
  waits: true,
  attack: 'Instances share a PostgreSQL and a Redis, and are killed (SIGKILL) and replaced while calls are under way.',
  rule: 'The same as with one file.',
  before: 'held',
  async run(stage) {
    const postgres = await startPostgres(import.meta.url)
    stage.defer(() => postgres.stop())
    const program = findRedis('kills of servers that share PostgreSQL and Redis')
    const redis = program.isSkipped ? undefined : await startRedis(program)
    stage.defer(() => redis?.stop())
    await runAndKill(stage, {
      data: stage.folder(),
      config: { routing: { retries: 0, breaker: { faults: 1000, share: 1 } } },
      environment: {
        DRAGOMAN_DATABASE_URL: postgresUrl(postgres.connection),
        ...(redis === undefined ? {} : { DRAGOMAN_REDIS_URL: redis.socket }),
      },
    })
  },
}
