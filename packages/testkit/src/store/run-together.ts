import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Store } from '@dragoman/accounts'
import type { Limits, OpenCall, Opening } from '@dragoman/accounts/store'
import { expect } from 'vitest'
import { withStore, type StoreSubject } from './subject.ts'
import { batch, DAY, openCall, opening, settlement, sliceRequest } from './values.ts'

/** What an instance commits: it settles some of its calls, and opens others. */
interface Turn {
  readonly settle: number
  readonly openings: readonly { readonly key: string; readonly request: number }[]
}

/** One list of turns for each instance. */
export type Together = readonly (readonly Turn[])[]

const KEYS = ['key_1', 'key_2']
/** The clock stands still, so requests are never given back. */
const LIMITS = { concurrent: 3, requests: 12 } satisfies Limits
const BUDGET = 200

const turn: Arbitrary<Turn> = fc.record({
  settle: fc.nat(2),
  openings: fc.array(fc.record({ key: fc.constantFrom(...KEYS), request: fc.constantFrom(0, 10, 45) }), {
    maxLength: 3,
  }),
})

export const together: Arbitrary<Together> = fc.array(fc.array(turn, { minLength: 2, maxLength: 6 }), {
  minLength: 3,
  maxLength: 3,
})

/** Instances commit at the same time. Whichever is first, what all of them have been granted stays within the limits and the budget. */
export async function runTogether(subject: StoreSubject, instances: Together): Promise<void> {
  await withStore(subject, async (first, clock) => {
    const { connect } = subject
    const others = connect === undefined ? [] : [await connect(clock), await connect(clock)]
    const stores = [first, ...others]
    try {
      const books = createBooks()
      const ended = await Promise.allSettled(
        instances.map((turns, index) => runInstance(stores[index % stores.length] ?? first, `i${index}`, turns, books)),
      )
      for (const each of ended) if (each.status === 'rejected') throw each.reason
      for (const key of KEYS) {
        expect(await first.balances(key)).toEqual(balancesOf(books.slices.get(key) ?? 0))
        await mustBeFree(first, key)
      }
    } finally {
      for (const store of others) await store.close()
    }
  })
}

/** What the instances know: never more than is open in the store. */
interface Books {
  readonly open: Map<string, number>
  readonly requests: Map<string, number>
  readonly slices: Map<string, number>
}

function createBooks(): Books {
  return { open: new Map(), requests: new Map(), slices: new Map() }
}

function add(sums: Map<string, number>, key: string, amount: number): number {
  const sum = (sums.get(key) ?? 0) + amount
  sums.set(key, sum)
  return sum
}

async function runInstance(store: Store, instance: string, turns: readonly Turn[], books: Books): Promise<void> {
  const running: OpenCall[] = []
  const commit = async (over: readonly OpenCall[], openings: readonly Opening[]): Promise<void> => {
    // From now on the store may close them.
    for (const { key } of over) add(books.open, key, -1)
    const settlements = over.map((call) => settlement(call, { limits: LIMITS }))
    const { verdicts } = await store.commit(batch({ instance, settlements, openings }))
    for (const [index, { call }] of openings.entries()) {
      const verdict = verdicts[index]
      if (verdict === undefined || 'refused' in verdict) continue
      running.push(call)
      expect(add(books.open, call.key, 1)).toBeLessThanOrEqual(LIMITS.concurrent)
      expect(add(books.requests, call.key, 1)).toBeLessThanOrEqual(LIMITS.requests)
      const granted = verdict.granted.reduce((sum, amount) => sum + amount, 0)
      expect(add(books.slices, call.key, granted)).toBeLessThanOrEqual(BUDGET)
    }
  }
  for (const [round, { settle, openings }] of turns.entries()) {
    const asked = openings.map(({ key, request }, number) => {
      const call = openCall(Number(instance.slice(1)) * 1000 + round * 10 + number, { key })
      return opening(call, {
        limits: LIMITS,
        sliceRequests: request === 0 ? [] : [sliceRequest(BUDGET, request, request)],
      })
    })
    await commit(running.splice(0, settle), asked)
  }
  await commit(running.splice(0), [])
}

function balancesOf(amount: number): readonly object[] {
  return amount === 0 ? [] : [{ ...DAY, spent: 0n, held: BigInt(amount) }]
}

/** Everything is settled: as many calls as ever can be opened. */
async function mustBeFree(store: Store, key: string): Promise<void> {
  const { concurrent } = LIMITS
  const openings = Array.from({ length: concurrent + 1 }, (_, index) => {
    return opening(openCall(9000 + KEYS.indexOf(key) * 100 + index, { key }), { limits: { concurrent } })
  })
  const { verdicts } = await store.commit(batch({ instance: `later ${key}`, openings }))
  expect(verdicts.map((verdict) => 'granted' in verdict)).toEqual(
    [...openings.keys()].map((index) => index < concurrent),
  )
}
