import type { Raise } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { START, withStore, type StoreSubject } from './subject.ts'
import { budgeted, batch, DAY, openCall, opening, TTL_MS, sliceRequest } from './values.ts'

export function describeRaises(subject: StoreSubject): void {
  describe('an open call for which more is reserved', () => {
    const cheap = openCall(1, { estimate: 0 })
    const dear = { ...cheap, model: 'other/two', provider: 'other', estimate: 60 }
    const raising = (least: number): Raise => ({
      call: dear,
      budgets: [DAY],
      sliceRequests: [sliceRequest(100, least, least)],
    })

    it('is open with the new route and estimate, which is charged if it is cut off', () =>
      withStore(subject, async (store, clock) => {
        await store.commit(batch({ openings: [opening(cheap, { budgets: [DAY] })] }))
        const { raised } = await store.commit(batch({ number: 2, raises: [raising(60)] }))
        expect(raised).toEqual([{ granted: [60], rates: {} }])
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 0n, held: 60n }])
        clock.advance(TTL_MS + 1)
        expect(await store.buryLost()).toBe(1)
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 60n, held: 0n }])
        expect(await store.record(cheap.id)).toMatchObject({ outcome: 'cut', cost: 60, model: 'other/two' })
      }))

    it('stays as it was if the budget has no room', () =>
      withStore(subject, async (store, clock) => {
        const first = openCall(2, { estimate: 50 })
        await store.commit(batch({ openings: [budgeted(first, 100, 50), opening(cheap, { budgets: [DAY] })] }))
        const { raised } = await store.commit(batch({ number: 2, raises: [raising(60)] }))
        const waitMs = Date.UTC(2026, 10, 19) - START
        expect(raised).toEqual([{ refused: 'budget', period: 'day', spent: 0, held: 50, waitMs, rates: {} }])
        clock.advance(TTL_MS + 1)
        expect(await store.buryLost()).toBe(2)
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 50n, held: 0n }])
        expect(await store.record(cheap.id)).toMatchObject({ outcome: 'cut', cost: 0, model: 'acme/one' })
      }))

    it('gets nothing more if the batch is sent again, and is counted once by limits', () =>
      withStore(subject, async (store) => {
        const limits = { requests: 2, concurrent: 2 }
        await store.commit(batch({ openings: [opening(cheap, { budgets: [DAY], limits })] }))
        for (const granted of [[60], [0]]) {
          const { raised } = await store.commit(batch({ number: 2, raises: [raising(60)] }))
          expect(raised).toEqual([{ granted, rates: {} }])
        }
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 0n, held: 60n }])
        const next = [2, 3].map((number) => opening(openCall(number), { limits: { concurrent: 2 } }))
        const { verdicts } = await store.commit(batch({ number: 3, openings: next }))
        expect(verdicts).toMatchObject([{ granted: [] }, { refused: 'concurrent' }])
      }))

    it('comes before new calls', () =>
      withStore(subject, async (store) => {
        await store.commit(batch({ openings: [opening(cheap, { budgets: [DAY] })] }))
        const both = batch({ number: 2, raises: [raising(60)], openings: [budgeted(openCall(2), 100, 60)] })
        const { raised, verdicts } = await store.commit(both)
        expect(raised).toMatchObject([{ granted: [60] }])
        expect(verdicts).toMatchObject([{ refused: 'budget', held: 60 }])
      }))
  })
}
