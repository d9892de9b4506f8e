import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { allUsage, batch, callOf, numbers, openingOf, settlementOf, START, TOTAL } from '@dragoman/testkit/stores'
import { describe, expect, it, vi } from 'vitest'
import { openSqliteStore, type SqliteStore } from '../src/index.ts'
import { openReader } from '../src/node/database.ts'
import { createThreadMethods } from '../src/node/thread-methods.ts'
import type { HourCursor } from '../src/sql.ts'
import { createFolder } from './folder.ts'

const folder = createFolder()
const clock = { now: () => START }
const EVER = { from: 0, to: START * 2, by: [], where: {} } as const

describe('the thread', () => {
  it('commits large batches, reads long pages and deletes many rows', async () => {
    const store = openSqliteStore({ file: folder.file('large.db'), clock })
    const settlements = numbers(0, 2000).map((number) => settlementOf(number))
    const committed = store.commit(batch({ settlements }))
    expect(committed).toBeInstanceOf(Promise)
    expect(await committed).toEqual({ isNew: true, verdicts: [] })
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: 14_000n, held: 0n }])
    expect(await store.records('', 5000)).toEqual(settlements.map(({ record }) => record))
    expect(await store.prune({ records: START + 1, hours: 0, audit: 0 }, 1500)).toBe(1500)
    expect(await store.records('', 5000)).toHaveLength(500)
    await store.close()
  })

  it('does all writing if every commit has to reach the disk', async () => {
    const store = openSqliteStore({ file: folder.file('full-sync.db'), clock, synchronous: 'full' })
    const committed = store.commit(batch({ openings: [openingOf(1)] }))
    expect(committed).toBeInstanceOf(Promise)
    expect(await committed).toEqual({ isNew: true, verdicts: [{ granted: [], rates: {} }] })
    await store.commit(batch({ settlements: [settlementOf(1)], last: true }))
    expect(await store.buryLost()).toBe(0)
    expect(await store.record(callOf(1).id)).toEqual(settlementOf(1).record)
    await store.close()
  })

  it('closes many calls of a lost instance in steps', async () => {
    const store = openSqliteStore({ file: folder.file('lost.db'), clock })
    await store.commit(batch({ openings: numbers(0, 450).map(openingOf), last: true }))
    expect(await store.buryLost()).toBe(450)
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: 2250n, held: 0n }])
    await store.close()
  })

  it('begins the log anew when it is large, and writes first', () => {
    const file = folder.file('log.db')
    const methods = createThreadMethods({ file, synchronous: 'normal', maxBytes: undefined })
    for (let group = 0; group < 1500; group++)
      methods.commit(batch({ settlements: [settlementOf(100_000 + group)] }), START)
    expect(methods.checkpoint()).toBeGreaterThan(4096)
    expect(methods.checkpoint()).toBeLessThan(3)
    methods.close()
  })
})

describe('the thread that reads', () => {
  it.each([
    ['reports', (store: SqliteStore) => store.usage(EVER)],
    ['records', (store: SqliteStore) => store.records('', 1000)],
    ['audits', (store: SqliteStore) => store.audits(undefined, 1000)],
  ])('makes %s while the event loop goes on', async (_, read) => {
    const store = openSqliteStore({ file: folder.file('loop.db'), clock })
    const hours = numbers(0, 3000).map((hour) => settlementOf(hour, START - hour * 3_600_000))
    await store.commit(batch({ settlements: hours }))
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await read(store)
    clearInterval(timer)
    // What is done on the calling thread is done within one turn.
    expect(turns).toBeGreaterThan(0)
    await store.close()
  })

  it('sums the same as at once, over several steps and pages', async () => {
    const file = folder.file('report.db')
    const store = openSqliteStore({ file, clock })
    const hours = numbers(0, 12_000).map((number) => {
      const { record, ...settlement } = settlementOf(number, START - (number % 4000) * 3_600_000)
      return { ...settlement, record: { ...record!, model: `m${number % 3}`, owner: `o${number % 700}` } }
    })
    for (let from = 0; from < hours.length; from += 4000)
      await store.commit(batch({ settlements: hours.slice(from, from + 4000) }))
    expect((await store.usage(EVER)).rows).toMatchObject([{ calls: 12_000, cost: 84_000n }])
    const byOwner = await allUsage(store, { ...EVER, by: ['owner', 'model'], limit: 300 })
    expect(byOwner).toHaveLength(2100)
    expect(byOwner.reduce((sum, { calls }) => sum + calls, 0)).toBe(12_000)
    const byHour = await allUsage(store, { ...EVER, by: ['hour', 'owner'] })
    expect(byHour).toHaveLength(12_000)
    expect(byHour.every(({ calls, cost }) => calls === 1 && cost === 7n)).toBe(true)
    expect(byHour.map(({ dimensions }) => Number(dimensions.hour))).toEqual(
      byHour.map(({ dimensions }) => Number(dimensions.hour)).toSorted((one, other) => one - other),
    )
    await store.close()
  })

  it('reads at most 5,000 rows of sums in a step, whatever is asked for', () => {
    const methods = createThreadMethods({ file: folder.file('steps.db'), synchronous: 'normal', maxBytes: undefined })
    const settlements = numbers(0, 11_000).map((hour) => settlementOf(hour, START - hour * 3_600_000))
    methods.commit(batch({ settlements }), START)
    const sizes: number[] = []
    for (let cursor: HourCursor | undefined; ;) {
      const { rows, next } = methods.usageStep(EVER, cursor, undefined)
      sizes.push(rows[0]?.calls ?? 0)
      if (next === undefined) break
      cursor = next
    }
    expect(sizes).toEqual([5000, 5000, 1000])
    methods.close()
  })

  it('cannot write', () => {
    const file = folder.file('read-only.db')
    openSqliteStore({ file })
    const { sql, close } = openReader({ file, synchronous: 'normal', maxBytes: undefined }, 0)
    expect(() => sql.run(`DELETE FROM records`)).toThrow('readonly')
    close()
  })
})

describe('another process', () => {
  it('that writes at the same time is waited for without blocking', async () => {
    const file = folder.file('busy.db')
    const store = openSqliteStore({ file, clock })
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const before = performance.now()
    const committed = store.commit(batch({ settlements: [settlementOf(1)] }))
    expect(performance.now() - before).toBeLessThan(4000)
    expect(committed).toBeInstanceOf(Promise)
    const saved = vi.fn<() => void>()
    const done = Promise.resolve(committed).then(saved)
    await pause(30)
    expect(saved).not.toHaveBeenCalled()
    expect(await store.record(callOf(1).id)).toBeUndefined()
    other.exec('COMMIT')
    await done
    expect(await store.record(callOf(1).id)).toEqual(settlementOf(1).record)
    other.close()
    await store.close()
  })
})

describe('a backup', () => {
  it('is a whole database, made while calls are committed', async () => {
    const file = folder.file('source.db')
    const copy = folder.file('copy.db')
    const store = openSqliteStore({ file, clock })
    await store.commit(batch({ settlements: numbers(0, 400).map((number) => settlementOf(number)) }))
    const progress = { isDone: false }
    const backup = store.backup(copy).finally(() => {
      progress.isDone = true
    })
    let written = 400
    for (; !progress.isDone; written++) {
      await store.commit(batch({ settlements: [settlementOf(written)] }))
      await pause(0)
    }
    await backup
    expect(existsSync(`${copy}.part`)).toBe(false)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    const restored = openSqliteStore({ file: copy, clock })
    const [sums] = (await restored.usage(EVER)).rows
    expect(sums!.calls).toBeGreaterThanOrEqual(400)
    expect(sums!.calls).toBeLessThanOrEqual(written)
    expect(await restored.balances('key_1')).toEqual([{ ...TOTAL, spent: BigInt(sums!.calls * 7), held: 0n }])
    expect(await restored.records('', 499)).toHaveLength(Math.min(499, sums!.calls))
    await restored.close()
    await expect(store.backup(copy)).rejects.toThrow('exists already')
    await store.close()
  })
})
