import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RUNS } from '../../laws/runs.ts'
import { allRecords, checkBooks } from '../check-books.ts'
import { allowedOverspend, checkCalls } from './check-calls.ts'
import { sendCall } from './client.ts'
import { TTL_MS } from './instance.ts'
import { withWorld, type KillSubject } from './kill-world.ts'
import { costOf, type Plan } from './plan.ts'
import { INSTANCES, runAndKill } from './run-and-kill.ts'
import { until } from './until.ts'

const KILLS = Math.ceil(RUNS / 40)
/** The budget that is used up during the test. It is enough for about a hundred calls. */
const BUDGET = KILLS * 12_000_000
const REQUESTS = 20
/** Clients that send calls with the key of the small budget to one instance, one call after the other. */
const CLIENTS = 2
const MINUTE_MS = 60_000
/** The time grows with the number of kills, and is long enough for a busy machine. */
const TIMEOUT_MS = 10 * MINUTE_MS + KILLS * 5000

/** A driver with its name in the titles of tests. */
export interface NamedSubject extends KillSubject {
  readonly name: string
}

export interface KillSubjects {
  readonly killed: NamedSubject
  /** Absent if the suite of another driver tests it: a return is the same for all drivers that satisfy the suite of stores. */
  readonly stopped?: NamedSubject | undefined
}

/** Tests that the books are exact if instances, in processes of their own, are killed, or stopped until others take them for lost. */
export function describeKills({ killed, stopped }: KillSubjects): void {
  let compiled = ''
  beforeAll(async () => {
    compiled = await mkdtemp(join(tmpdir(), 'dragoman-compiled-'))
  })
  afterAll(() => rm(compiled, { recursive: true, force: true }))
  describeKilled(killed, () => compiled)
  if (stopped !== undefined) describeStopped(stopped, () => compiled)
}

function describeKilled(subject: NamedSubject, compiled: () => string): void {
  describe(`instances with ${subject.name} that are killed`, () => {
    it('have exact books, compared with what the upstream saw, whenever they are killed', { timeout: TIMEOUT_MS }, () =>
      withWorld(subject, compiled(), async (world) => {
        const { store, upstream } = world
        const small = await world.create({ budgets: { day: BUDGET } })
        const limited = await world.create({ limits: { requests: REQUESTS, concurrent: 2 } })
        const free = await world.create({ budgets: { total: 1e12 } })
        const begin = Date.now()
        const secrets = [small.secret, small.secret, limited.secret, free.secret]
        await runAndKill(world, secrets, KILLS, async (ends) => {
          const most = Math.max(...upstream.seen.map(({ estimate }) => estimate))
          const balances = await store.balances(small.key.id)
          // Each instance may have a part that is too small for a call.
          const isSpent = balances.some(({ spent }) => spent > BUDGET - INSTANCES * most)
          return isSpent && ends.has(`402 ${small.secret}`) && ends.has(`429 ${limited.secret}`)
        })
        const isRecorded = async (): Promise<boolean> => {
          const known = new Set((await allRecords(store)).map(({ id }) => id))
          return upstream.seen.every(({ id }) => known.has(id))
        }
        // An instance that is alive buries those that were killed.
        const [survivor, ...others] = world.alive()
        for (const instance of others) await instance.close()
        await until('records of calls that were cut off', isRecorded)
        await survivor?.close()
        // A call that was opened and not sent is buried too.
        await until('the last lease to end', () => Date.now() > world.killedAt() + TTL_MS)
        await store.buryLost()

        const records = await allRecords(store)
        const returns = world.all.reduce((sum, instance) => sum + instance.returns, 0)
        const overspend =
          allowedOverspend(records, upstream.seen, small.key.id, CLIENTS) + BigInt((returns * BUDGET) / 16)
        const seen = upstream.seen.map(({ id }) => id)
        const budgets = { [small.key.id]: { day: BUDGET }, [free.key.id]: { total: 1e12 }, [limited.key.id]: {} }
        expect(await checkBooks({ store, seen, budgets, overspend })).toEqual([])
        expect(checkCalls(records, upstream.seen, world.killed)).toEqual([])
        expect(records.filter(({ outcome }) => outcome === 'cut').length).toBeGreaterThan(0)
        const minutes = (Date.now() - begin) / MINUTE_MS
        const admitted = records.filter(({ key }) => key === limited.key.id).length
        expect(admitted).toBeLessThanOrEqual(REQUESTS * (1 + minutes))
      }),
    )
  })
}

function describeStopped(subject: NamedSubject, compiled: () => string): void {
  describe(`instances with ${subject.name} that are stopped`, () => {
    it('correct the books when they return after their lease', () =>
      withWorld(subject, compiled(), async (world) => {
        const { store, upstream } = world
        const { key, secret } = await world.create({ budgets: { total: BUDGET } })
        const [stopped, survivor] = [await world.start(), await world.start()]
        const held: readonly Plan[] = [10, 50, 100].map((output) => ({ do: 'hold', delayMs: 0, input: 7, output }))
        const calls = held.map((plan) => sendCall(stopped.url, secret, plan))
        await until('the calls at the upstream', () => upstream.seen.length === held.length)
        stopped.stop()
        await until('records of its calls', async () => (await allRecords(store)).length === held.length)
        const expected = upstream.seen.map(({ id, estimate }) => ({ id, outcome: 'cut', cost: estimate }))
        const byId = expected.toSorted((one, other) => (one.id < other.id ? -1 : 1))
        expect(await allRecords(store)).toMatchObject(byId)
        const estimates = expected.reduce((sum, { cost }) => sum + cost, 0)
        expect(await store.balances(key.id)).toEqual([
          { period: 'total', start: 0, spent: BigInt(estimates), held: 0n },
        ])

        upstream.release()
        stopped.resume()
        expect(await Promise.all(calls)).toEqual([200, 200, 200])
        await stopped.close()
        await survivor.close()
        const records = await allRecords(store)
        expect(checkCalls(records, upstream.seen, world.killed)).toEqual([])
        const real = held.reduce((sum, plan) => sum + costOf(plan), 0)
        expect(await store.balances(key.id)).toEqual([{ period: 'total', start: 0, spent: BigInt(real), held: 0n }])
        const seen = upstream.seen.map(({ id }) => id)
        expect(await checkBooks({ store, seen, budgets: { [key.id]: { total: BUDGET } }, overspend: 0n })).toEqual([])
      }))
  })
}
