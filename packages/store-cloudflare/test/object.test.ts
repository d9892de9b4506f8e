import { setTimeout as pause } from 'node:timers/promises'
import { auditEntry, batch, callOf, openingOf, settlementOf, START, storedKey, TOTAL } from '@dragoman/testkit/stores'
import { describe, expect, it } from 'vitest'
import { openStore, restart } from './open-store.ts'

const LONG_MS = 600_000

describe('an object', () => {
  it('keeps everything when the platform restarts it', async () => {
    const store = openStore('kept')
    const key = storedKey()
    await store.saveKey(key, 0, auditEntry(1))
    await store.commit(batch({ ttlMs: LONG_MS, openings: [openingOf(1)] }))
    await store.commit(batch({ ttlMs: LONG_MS, settlements: [settlementOf(2)] }))
    await restart('kept')
    expect(await store.key(key.id)).toEqual({ ...key, revision: 1 })
    expect(await store.record(callOf(2).id)).toEqual(settlementOf(2).record)
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: 7n, held: 0n }])
    // The instance is known, and its call is open: limits count it.
    const second = { ...openingOf(3), limits: { concurrent: 1 } }
    const { isNew, verdicts } = await store.commit(batch({ ttlMs: LONG_MS, openings: [second] }))
    expect([isNew, verdicts]).toEqual([false, [{ refused: 'concurrent', rates: {} }]])
  })

  it('opens nothing for a batch that its store has given up and that arrives late', async () => {
    const settled = callOf(9).id
    const slow = openStore('late', 'REAL', { lateAfter: settled })
    const overtaken = { ...openingOf(1), limits: { concurrent: 1 } }
    await expect(async () => slow.commit(batch({ number: 1, ttlMs: LONG_MS, openings: [overtaken] }))).rejects.toThrow(
      'Durable Object late: no answer within 100 ms',
    )
    const store = openStore('late')
    const nothing = { ...settlementOf(1), record: undefined }
    await store.commit(batch({ number: 2, ttlMs: LONG_MS, settlements: [nothing, settlementOf(9)] }))
    // Now it arrives: the object writes down what it has answered.
    await expect.poll(async () => (await store.audits(undefined, 1)).length).toBe(1)
    const [answered] = await store.audits(undefined, 1)
    expect(answered?.detail['text']).toContain('Batch 1 of the instance a has come after a later one')
    const next = { ...openingOf(2), limits: { concurrent: 1 } }
    const { verdicts } = await store.commit(batch({ number: 3, ttlMs: LONG_MS, openings: [next] }))
    expect(verdicts).toEqual([{ granted: [], rates: {} }])
  })

  it('closes the calls of a lost instance by itself', async () => {
    const store = openStore('lost')
    await store.commit(batch({ ttlMs: 1, openings: [openingOf(1)] }))
    let record = await store.record(callOf(1).id)
    while (record === undefined) {
      await pause(100)
      record = await store.record(callOf(1).id)
    }
    expect([record.outcome, record.cost]).toEqual(['cut', 5])
  })

  it('cuts bodies that its rows cannot hold, and marks them', async () => {
    const store = openStore('bodies')
    const request = '漢'.repeat(1024 * 1024)
    const bodies = { id: callOf(1).id, key: 'key_1', until: START, request, answer: 'x'.repeat(1024 * 1024) }
    await store.saveBodies(bodies)
    const stored = await store.bodies(bodies.id)
    expect(stored?.request.slice(0, 300_000)).toBe(request.slice(0, 300_000))
    expect(stored?.request.slice(300_000)).toMatch(/^漢+\[cut off: 3145728 bytes in all\]$/)
    expect(stored?.answer.slice(900_000)).toMatch(/^x+\[cut off: 1048576 bytes in all\]$/)
    const small = { ...bodies, id: callOf(2).id, request: '漢', answer: 'x'.repeat(900_000) }
    await store.saveBodies(small)
    expect(await store.bodies(small.id)).toEqual(small)
  })

  it.each([
    ['a value of the wrong type', { cost: 0.5 }, 'CONSTRAINT_DATATYPE'],
    ['a missing value', { cost: Number.NaN }, 'CONSTRAINT_NOTNULL'],
  ])('refuses %s with the error for that, and undoes the batch', async (_, changes, reason) => {
    const name = `refusing-${reason}`
    const store = openStore(name)
    const wrong = { ...settlementOf(2), record: { ...settlementOf(2).record!, ...changes } }
    const thrown: unknown = await errorOf(async () => store.commit(batch({ settlements: [settlementOf(1), wrong] })))
    expect(thrown).toMatchObject({ name: 'UnstorableError', message: expect.stringContaining(`SQLITE_${reason}`) })
    expect(String(thrown)).toContain(`Durable Object ${name}: `)
    expect(await store.record(callOf(1).id)).toBeUndefined()
    expect(await store.balances('key_1')).toEqual([])
    expect(await store.commit(batch({ settlements: [settlementOf(1)] }))).toEqual({ isNew: true, verdicts: [] })
  })

  it('with a database of a newer version does nothing', async () => {
    const store = openStore('newer', 'NEWER')
    const thrown: unknown = await errorOf(async () => store.audits(undefined, 1))
    expect(String(thrown)).toContain('the database has version 1000 of the schema')
    expect(thrown).not.toMatchObject({ name: 'UnstorableError' })
  })
})

async function errorOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return error
  }
}
