import { cutRecord, type Batch } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { withStore, type StoreSubject } from './subject.ts'
import {
  allUsage,
  batch,
  callRecord,
  DAY,
  held,
  openCall,
  opening,
  settlement,
  TTL_MS,
  sliceRequest,
} from './values.ts'

const call = openCall(1)
const opens = batch({ openings: [opening(call, { budgets: [DAY], sliceRequests: [sliceRequest(5000, 1000, 2000)] })] })
const real = callRecord(call, { cost: 700 })
const settles = batch({ settlements: [settlement(call, { budgets: [DAY], record: real })], slices: [held(1300)] })

export function describeSettling(subject: StoreSubject): void {
  describe('settlements', () => {
    it('write the record and the spending, once, however often a batch is sent', () =>
      withStore(subject, async (store) => {
        await store.commit(opens)
        expect(await store.record(call.id)).toBeUndefined()
        for (const repeated of [settles, settles, settles]) {
          expect(await store.commit(repeated)).toEqual({ isNew: false, verdicts: [] })
          expect(await store.record(call.id)).toEqual(real)
          expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 700n, held: 1300n }])
        }
        const other = { ...real, cost: 9, outcome: 'failed' } as const
        await store.commit(batch({ settlements: [settlement(call, { budgets: [DAY], record: other })] }))
        expect(await store.record(call.id)).toEqual(real)
      }))

    it('have no second effect when the batch also opens calls', () =>
      withStore(subject, async (store) => {
        await store.commit(opens)
        const limits = { requests: 10, tokens: 1000 }
        const next = opening(openCall(2), { limits, tokens: 10, sliceRequests: [sliceRequest(5000, 1000, 1000)] })
        const both: Batch = { ...settles, openings: [next] }
        const first = await store.commit(both)
        expect(first.verdicts).toMatchObject([{ granted: [1000] }])
        const balances = await store.balances('key_1')
        expect(balances).toEqual([{ ...DAY, spent: 700n, held: 2300n }])
        const second = await store.commit(both)
        expect(second.verdicts).toEqual([{ granted: [0], rates: { ...first.verdicts[0]!.rates } }])
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 700n, held: 1300n }])
      }))

    it('without a record close a call that reached no upstream', () =>
      withStore(subject, async (store, clock) => {
        await store.commit(opens)
        const none = batch({
          settlements: [settlement(call, { budgets: [DAY], record: undefined })],
          slices: [held(0)],
        })
        await store.commit(none)
        await store.commit(none)
        clock.advance(TTL_MS)
        expect(await store.buryLost()).toBe(0)
        expect(await store.record(call.id)).toBeUndefined()
        expect(await store.balances('key_1')).toEqual([])
      }))

    it('of calls that were never opened are written too', () =>
      withStore(subject, async (store) => {
        expect(await store.commit(settles)).toEqual({ isNew: true, verdicts: [] })
        expect(await store.record(call.id)).toEqual(real)
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 700n, held: 0n }])
      }))
  })
}

export function describeLostInstances(subject: StoreSubject): void {
  describe('lost instances', () => {
    it('have their open calls charged and marked when their time is over, once', () =>
      withStore(subject, async (store, clock) => {
        expect(await store.commit(opens)).toMatchObject({ isNew: true })
        clock.advance(TTL_MS - 1)
        expect(await store.buryLost()).toBe(0)
        clock.advance(1)
        expect(await store.buryLost()).toBe(1)
        expect(await store.buryLost()).toBe(0)
        expect(await store.record(call.id)).toEqual(cutRecord(call))
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 1000n, held: 0n }])
      }))

    it('stay alive by any batch', () =>
      withStore(subject, async (store, clock) => {
        await store.commit(opens)
        clock.advance(TTL_MS - 1)
        expect(await store.commit(batch())).toEqual({ isNew: false, verdicts: [] })
        clock.advance(TTL_MS - 1)
        expect(await store.buryLost()).toBe(0)
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 0n, held: 2000n }])
      }))

    it('that return are new and hold nothing, and what they settle late replaces the charge', () =>
      withStore(subject, async (store, clock) => {
        await store.commit(opens)
        clock.advance(TTL_MS)
        await store.buryLost()
        for (const isNew of [true, false]) {
          expect(await store.commit(settles)).toEqual({ isNew, verdicts: [] })
          expect(await store.record(call.id)).toEqual(real)
          expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 700n, held: 0n }])
        }
        const { from, to } = { from: 0, to: clock.now() * 2 }
        expect(await allUsage(store, { from, to, by: [], where: {} })).toMatchObject([
          { calls: 1, failed: 0, cost: 700n },
        ])
      }))

    it('that return can take back a charge for a call that reached no upstream', () =>
      withStore(subject, async (store, clock) => {
        await store.commit(opens)
        clock.advance(TTL_MS)
        await store.buryLost()
        const none = batch({ settlements: [settlement(call, { budgets: [DAY], record: undefined })] })
        await store.commit(none)
        await store.commit(none)
        expect(await store.record(call.id)).toBeUndefined()
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 0n, held: 0n }])
        expect(await allUsage(store, { from: 0, to: clock.now() * 2, by: ['key'], where: {} })).toEqual([])
      }))

    it('free their open calls for others', () =>
      withStore(subject, async (store, clock) => {
        const limits = { concurrent: 1 }
        await store.commit(batch({ openings: [opening(call, { limits })] }))
        const second = batch({ instance: 'b', openings: [opening(openCall(2), { limits })] })
        expect((await store.commit(second)).verdicts).toMatchObject([{ refused: 'concurrent' }])
        clock.advance(TTL_MS)
        await store.commit(batch({ instance: 'b' }))
        expect(await store.buryLost()).toBe(1)
        expect((await store.commit(second)).verdicts).toMatchObject([{ granted: [] }])
      }))

    it('that end in order are forgotten at once; calls that they left open are cut', () =>
      withStore(subject, async (store) => {
        await store.commit(opens)
        await store.commit({ ...settles, last: true })
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 700n, held: 0n }])
        const left = openCall(3)
        const goodbye = batch({ openings: [opening(left, { budgets: [DAY] })], last: true })
        expect(await store.commit(goodbye)).toMatchObject({ isNew: true })
        expect(await store.buryLost()).toBe(1)
        expect(await store.record(left.id)).toEqual(cutRecord(left))
      }))
  })
}

export function describeOrder(subject: StoreSubject): void {
  describe('batches', () => {
    it('that come after a later one have no effect', () =>
      withStore(subject, async (store, clock) => {
        const limits = { concurrent: 1, requests: 2 }
        const overtaken = batch({
          number: 1,
          settlements: [settlement(openCall(3), { budgets: [DAY] })],
          slices: [held(0)],
          openings: [opening(call, { limits, budgets: [DAY], sliceRequests: [sliceRequest(5000, 1000, 2000)] })],
        })
        const next = opening(openCall(2), { limits, sliceRequests: [sliceRequest(5000, 1000, 1000)] })
        expect((await store.commit(batch({ number: 2, openings: [next] }))).verdicts).toMatchObject([
          { granted: [1000] },
        ])
        const balances = await store.balances('key_1')
        const arrive = async (): Promise<unknown> => store.commit(overtaken)
        await expect(arrive()).rejects.toThrow('has come after a later one')
        expect(await store.record(openCall(3).id)).toBeUndefined()
        expect(await store.balances('key_1')).toEqual(balances)
        // Another instance has numbers of its own.
        const rates = { requests: { limit: 2, remaining: 1, resetMs: 30_000 } }
        expect(await store.commit(batch({ instance: 'b', openings: [opening(openCall(4), { limits })] }))).toEqual({
          isNew: true,
          verdicts: [{ refused: 'concurrent', rates }],
        })
        // Neither the end of its lease nor its last batch lets it in.
        clock.advance(TTL_MS)
        expect(await store.buryLost()).toBe(1)
        await expect(arrive()).rejects.toThrow('has come after a later one')
        expect((await store.commit(batch({ number: 3, last: true }))).isNew).toBe(true)
        await expect(arrive()).rejects.toThrow('has come after a later one')
        clock.advance(TTL_MS)
        expect(await store.buryLost()).toBe(0)
        expect(await store.record(call.id)).toBeUndefined()
      }))
  })
}
