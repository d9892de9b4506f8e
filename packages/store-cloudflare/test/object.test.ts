import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callOf, NOW, openingOf, settlementOf, TOTAL } from './calls.ts'
import { createFolder } from './folder.ts'
import { startWorkerd, type Workerd } from './workerd.ts'

const folder = createFolder()
let workerd: Workerd
beforeAll(async () => {
  workerd = await startWorkerd(folder.path)
})
afterAll(() => workerd.stop())

const NONE = { settlements: [], slices: [], openings: [] }

describe('an object', () => {
  it('keeps everything when the platform restarts', async () => {
    const before = workerd.open('kept')
    await before.saveKey(KEY, 0, AUDIT)
    await before.commit({ ...NONE, instance: 'a', ttlMs: 600_000, openings: [openingOf(1)] })
    await before.commit({ ...NONE, instance: 'a', ttlMs: 600_000, settlements: [settlementOf(2)] })
    await workerd.stop()
    workerd = await startWorkerd(folder.path)
    const after = workerd.open('kept')
    expect(await after.key(KEY.id)).toEqual({ ...KEY, revision: 1 })
    expect(await after.record(callOf(2).id)).toEqual(settlementOf(2).record)
    expect(await after.balances('key_1')).toEqual([{ ...TOTAL, spent: 7n, held: 0n }])
    // The instance is known, and its call is open: limits count it.
    const second = { ...openingOf(3), limits: { concurrent: 1 } }
    const { isNew, verdicts } = await after.commit({ ...NONE, instance: 'a', ttlMs: 600_000, openings: [second] })
    expect([isNew, verdicts]).toEqual([false, [{ refused: 'concurrent', rates: {} }]])
  })

  it('closes the calls of a lost instance by itself', async () => {
    const store = workerd.open('lost')
    await store.commit({ ...NONE, instance: 'a', ttlMs: 1, openings: [openingOf(1)] })
    let record = await store.record(callOf(1).id)
    while (record === undefined) {
      await pause(100)
      record = await store.record(callOf(1).id)
    }
    expect([record.outcome, record.cost]).toEqual(['cut', 5])
  })

  it('cuts bodies that its rows cannot hold, and marks them', async () => {
    const store = workerd.open('bodies')
    const request = '漢'.repeat(1024 * 1024)
    const bodies = { id: callOf(1).id, key: 'key_1', until: NOW, request, answer: 'x'.repeat(1024 * 1024) }
    await store.saveBodies(bodies)
    const stored = await store.bodies(bodies.id)
    expect(stored?.request.slice(0, 300_000)).toBe(request.slice(0, 300_000))
    expect(stored?.request.slice(300_000)).toMatch(/^漢+\[cut off: 3145728 bytes in all\]$/)
    expect(stored?.answer.slice(900_000)).toMatch(/^x+\[cut off: 1048576 bytes in all\]$/)
    const small = { ...bodies, id: callOf(2).id, request: '漢', answer: 'x'.repeat(900_000) }
    await store.saveBodies(small)
    expect(await store.bodies(small.id)).toEqual(small)
  })

  it('undoes what fails, and says why', async () => {
    const store = workerd.open('failing')
    const broken = { ...settlementOf(2), record: { ...settlementOf(2).record!, cost: 0.5 } }
    const batch = { ...NONE, instance: 'a', ttlMs: 600_000, settlements: [settlementOf(1), broken] }
    await expect(store.commit(batch)).rejects.toThrow(/^Durable Object failing: .*cost/)
    expect(await store.record(callOf(1).id)).toBeUndefined()
    expect(await store.balances('key_1')).toEqual([])
    expect(await store.commit({ ...batch, settlements: [settlementOf(1)] })).toEqual({ isNew: true, verdicts: [] })
  })

  it('with a database of a newer version does nothing', async () => {
    const store = workerd.open('newer', 'NEWER')
    await expect(store.audits(undefined, 1)).rejects.toThrow('the database has version 1000 of the schema')
  })
})

const KEY = {
  id: 'key_1',
  digest: 'd1'.repeat(32),
  hint: 'dgm_abcd',
  name: 'first',
  labels: {},
  scopes: ['inference'],
  limits: {},
  budgets: {},
  createdAt: NOW,
  disabled: false,
} as const

const AUDIT = {
  id: '0'.repeat(32),
  at: NOW,
  actor: 'terminal',
  action: 'keys.create',
  target: '',
  address: '',
  detail: {},
} as const
