import { EMPTY_BUCKET, periodAt, ratesOf, takeFrom, type OpenCall, type Store, type Verdict } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { START, withStore, type StoreSubject } from './subject.ts'
import { budgeted, batch, DAY, held, openCall, opening, settlement, sliceRequest } from './values.ts'

/** Milliseconds before a call, and its tokens. */
const STEPS = [
  [0, 30],
  [0, 70],
  [1, 10],
  [5000, 8],
  [100, 500],
  [20_000, 5],
  [61_000, 500],
  [1, 1],
] as const

export function describeLimits(subject: StoreSubject): void {
  describe('limits', () => {
    it('takes requests and tokens from the bucket of the key, as takeFrom does', () =>
      withStore(subject, async (store, clock) => {
        const limits = { requests: 3, tokens: 100 }
        let bucket = EMPTY_BUCKET
        for (const [index, [pauseMs, tokens]] of STEPS.entries()) {
          clock.advance(pauseMs)
          const taken = takeFrom(bucket, limits, tokens, clock.now())
          bucket = taken.bucket
          const { verdicts } = await store.commit(batch({ openings: [opening(openCall(index), { limits, tokens })] }))
          const rates = ratesOf(bucket, limits)
          const { refused, waitMs } = taken
          expect(verdicts).toEqual([refused === undefined ? { granted: [], rates } : { refused, waitMs, rates }])
        }
      }))

    it('corrects tokens when a call is settled, once, however often the batch is sent', () =>
      withStore(subject, async (store) => {
        const limits = { tokens: 100 }
        const [first, second] = [openCall(1), openCall(2)]
        await store.commit(batch({ openings: [opening(first, { limits, tokens: 90 })] }))
        const ask = [opening(second, { limits, tokens: 60 })]
        expect((await store.commit(batch({ openings: ask }))).verdicts).toMatchObject([{ refused: 'tokens' }])
        const settlements = [settlement(first, { limits, tokens: -50 })]
        await store.commit(batch({ settlements }))
        const { verdicts } = await store.commit(batch({ settlements, openings: ask }))
        expect(verdicts).toMatchObject([
          { granted: [], rates: { tokens: { limit: 100, remaining: 0, resetMs: 60_000 } } },
        ])
      }))

    it('counts the calls of all instances that are open at the same time', () =>
      withStore(subject, async (store) => {
        const limits = { concurrent: 2 }
        const ask = async (instance: string, number: number): Promise<Verdict | undefined> =>
          (await store.commit(batch({ instance, openings: [opening(openCall(number), { limits })] }))).verdicts[0]
        expect(await ask('a', 1)).toEqual({ granted: [], rates: {} })
        expect(await ask('b', 2)).toEqual({ granted: [], rates: {} })
        expect(await ask('c', 3)).toEqual({ refused: 'concurrent', rates: {} })
        await store.commit(batch({ instance: 'b', settlements: [settlement(openCall(2), { record: undefined })] }))
        expect(await ask('c', 3)).toEqual({ granted: [], rates: {} })
        const other = opening(openCall(9, { key: 'key_2' }), { limits })
        expect((await store.commit(batch({ openings: [other] }))).verdicts).toEqual([{ granted: [], rates: {} }])
      }))

    it('counts calls that began before their key had a limit', () =>
      withStore(subject, async (store) => {
        const limited = (number: number) => opening(openCall(number), { limits: { concurrent: 2 } })
        await store.commit(batch({ openings: [opening(openCall(1)), opening(openCall(2))] }))
        expect((await store.commit(batch({ openings: [limited(3)] }))).verdicts).toMatchObject([
          { refused: 'concurrent' },
        ])
        const settlements = [settlement(openCall(1))]
        const { verdicts } = await store.commit(batch({ settlements, openings: [limited(4), limited(5)] }))
        expect(verdicts).toMatchObject([{ granted: [] }, { refused: 'concurrent' }])
      }))

    it('leaves nothing behind when it refuses', () =>
      withStore(subject, async (store) => {
        const limits = { requests: 60, tokens: 600, concurrent: 1 }
        const rates = {
          requests: { limit: 60, remaining: 60, resetMs: 0 },
          tokens: { limit: 600, remaining: 600, resetMs: 0 },
        }
        const asked = opening(openCall(1), { limits, tokens: 100, sliceRequests: [sliceRequest(50, 60, 60)] })
        const untilMidnight = Date.UTC(2026, 10, 19) - START
        const { verdicts } = await store.commit(batch({ openings: [asked] }))
        const none = { refused: 'budget', period: 'day', spent: 0, held: 0, waitMs: untilMidnight, rates }
        expect(verdicts).toEqual([none])
        expect(await store.balances('key_1')).toEqual([])
        const taken = {
          requests: { limit: 60, remaining: 59, resetMs: 1000 },
          tokens: { limit: 600, remaining: 500, resetMs: 10_000 },
        }
        const allowed = opening(openCall(2), { limits, tokens: 100 })
        expect((await store.commit(batch({ openings: [allowed] }))).verdicts).toEqual([{ granted: [], rates: taken }])
        const third = opening(openCall(3), { limits, tokens: 100 })
        expect((await store.commit(batch({ openings: [third] }))).verdicts).toEqual([
          { refused: 'concurrent', rates: taken },
        ])
      }))
  })
}

export function describeBudgets(subject: StoreSubject): void {
  describe('budgets', () => {
    it('grants what is left, and no more, in one batch and over batches', () =>
      withStore(subject, async (store) => {
        const ask = [1, 2, 3].map((number) => opening(openCall(number), { sliceRequests: [sliceRequest(100, 10, 45)] }))
        const { verdicts } = await store.commit(batch({ openings: ask }))
        expect(verdicts).toMatchObject([{ granted: [45] }, { granted: [45] }, { granted: [10] }])
        const fourth = [opening(openCall(4), { sliceRequests: [sliceRequest(100, 1, 45)] })]
        expect((await store.commit(batch({ instance: 'b', openings: fourth }))).verdicts).toMatchObject([
          { refused: 'budget' },
        ])
        const more = [opening(openCall(5), { sliceRequests: [sliceRequest(107, 7, 45)] })]
        expect((await store.commit(batch({ instance: 'b', openings: more }))).verdicts).toMatchObject([
          { granted: [7] },
        ])
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 0n, held: 107n }])
      }))

    it('settles, then changes slices, then opens', () =>
      withStore(subject, async (store) => {
        const call = openCall(1)
        await store.commit(
          batch({ openings: [opening(call, { budgets: [DAY], sliceRequests: [sliceRequest(100, 100, 100)] })] }),
        )
        const { verdicts } = await store.commit(
          batch({
            settlements: [settlement(call, { budgets: [DAY], record: { ...settlement(call).record!, cost: 30 } })],
            slices: [held(20)],
            openings: [opening(openCall(2), { sliceRequests: [sliceRequest(100, 50, 90)] })],
          }),
        )
        expect(verdicts).toMatchObject([{ granted: [50] }])
        expect(await store.balances('key_1')).toEqual([{ ...DAY, spent: 30n, held: 70n }])
      }))

    it('grants several budgets, or none of them', () =>
      withStore(subject, async (store) => {
        const month = periodAt('month', START)
        const total = periodAt('total', START)
        const sliceRequests = [
          sliceRequest(100, 10, 60),
          sliceRequest(40, 10, 60, month),
          sliceRequest(1000, 10, 60, total),
        ]
        const first = await store.commit(batch({ openings: [opening(openCall(1), { sliceRequests })] }))
        expect(first.verdicts).toMatchObject([{ granted: [60, 40, 60] }])
        const second = await store.commit(batch({ openings: [opening(openCall(2), { sliceRequests })] }))
        const waitMs = Date.UTC(2026, 11, 1) - START
        expect(second.verdicts).toEqual([{ refused: 'budget', period: 'month', spent: 0, held: 40, waitMs, rates: {} }])
        expect(await store.balances('key_1')).toEqual([
          { ...DAY, spent: 0n, held: 60n },
          { ...month, spent: 0n, held: 40n },
          { ...total, spent: 0n, held: 60n },
        ])
        const ofTotal = [opening(openCall(3), { sliceRequests: [sliceRequest(60, 1, 1, total)] })]
        expect((await store.commit(batch({ openings: ofTotal }))).verdicts).toEqual([
          { refused: 'budget', period: 'total', spent: 0, held: 60, waitMs: undefined, rates: {} },
        ])
      }))

    it('reports what was spent and what is held when it refuses, as far as a number is exact', () =>
      withStore(subject, async (store) => {
        const [first, second] = [openCall(1), openCall(2)]
        const most = Number.MAX_SAFE_INTEGER
        const costing = (call: OpenCall, cost: number) =>
          settlement(call, { budgets: [DAY], record: { ...settlement(call).record!, cost } })
        await store.commit(batch({ settlements: [costing(first, 70)], openings: [budgeted(second, 100, 20)] }))
        const third = await store.commit(batch({ openings: [budgeted(openCall(3), 100, 11)] }))
        expect(third.verdicts).toMatchObject([{ refused: 'budget', spent: 70, held: 20 }])
        await store.commit(batch({ settlements: [costing(openCall(4), most), costing(openCall(5), most)] }))
        const sixth = await store.commit(batch({ openings: [budgeted(openCall(6), 100, 11)] }))
        expect(sixth.verdicts).toMatchObject([{ refused: 'budget', spent: most, held: 20 }])
      }))
  })
}

export function describeSharedBudgets(subject: StoreSubject): void {
  describe('a budget', () => {
    it('is a new one in each period', () =>
      withStore(subject, async (store) => {
        const next = periodAt('day', START + 86_400_000)
        await store.commit(batch({ openings: [opening(openCall(1), { sliceRequests: [sliceRequest(10, 10, 10)] })] }))
        const second = [opening(openCall(2), { sliceRequests: [sliceRequest(10, 10, 10, next)] })]
        expect((await store.commit(batch({ openings: second }))).verdicts).toMatchObject([{ granted: [10] }])
        expect(await store.balances('key_1')).toEqual([DAY, next].map((day) => ({ ...day, spent: 0n, held: 10n })))
        expect(await store.balances('key_2')).toEqual([])
      }))

    it('is never granted twice to instances that ask at the same time', () =>
      withStore(subject, async (first, clock) => {
        const others =
          subject.connect === undefined ? [first] : [await subject.connect(clock), await subject.connect(clock)]
        const stores = [first, ...others]
        try {
          const verdicts = await Promise.all(
            Array.from({ length: 24 }, async (_, index) => askOf(stores[index % stores.length]!, index)),
          )
          const granted = verdicts.flatMap((verdict) => ('granted' in verdict ? verdict.granted : []))
          expect(granted.reduce((all, amount) => all + amount, 0)).toBe(100)
          expect(granted.length).toBe(10)
          expect(await first.balances('key_1')).toEqual([{ ...DAY, spent: 0n, held: 100n }])
        } finally {
          for (const store of others) if (store !== first) await store.close()
        }
      }))
  })
}

async function askOf(store: Store, number: number): Promise<Verdict> {
  const openings = [
    opening(openCall(number), { limits: { concurrent: 20 }, sliceRequests: [sliceRequest(100, 10, 10)] }),
  ]
  const { verdicts } = await store.commit(batch({ instance: `i${number}`, openings }))
  return verdicts[0]!
}
