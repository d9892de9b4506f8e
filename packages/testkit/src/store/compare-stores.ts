import {
  DIMENSIONS,
  type CallRecord,
  type PeriodStart,
  type Settlement,
  type Store,
  type StoredKey,
} from '@dragoman/accounts'
import { expect } from 'vitest'
import { allUsage, HARD_TEXT } from './values.ts'

/** The keys of the calls in programs. */
export const KEYS = ['key_1', 'key_2', HARD_TEXT]
const EVER = { from: 0, to: Date.UTC(2100, 0), where: {} }

/** What is owed for a call, and from which budgets. */
export interface Owed extends Pick<Settlement, 'key' | 'budgets'> {
  readonly cost: number | 'estimate' | 'nothing'
  readonly estimate: number
}

export function nameOf(key: string, { period, start }: PeriodStart): string {
  return JSON.stringify([key, period, start])
}

/** Revisions need not be the same numbers. */
export function withoutRevision(key: StoredKey | undefined): StoredKey | undefined {
  return key && { ...key, revision: 0 }
}

/** Both contain the same. */
export async function mustBeAlike(store: Store, model: Store): Promise<void> {
  expect(await allRecords(store)).toEqual(await model.records('', 1000))
  for (const key of KEYS) expect(await store.balances(key)).toEqual(await model.balances(key))
  for (const by of [[], ...DIMENSIONS.map((name) => [name]), DIMENSIONS]) {
    const all = await allUsage(model, { ...EVER, by })
    expect(await allUsage(store, { ...EVER, by })).toEqual(all)
    expect(await allUsage(store, { ...EVER, by, limit: 2 })).toEqual(all)
  }
  expect(await store.audits(undefined, 1000)).toEqual(await model.audits(undefined, 1000))
  const keys = await store.keysSince(0, 100)
  expect(keys.map(withoutRevision)).toEqual((await model.keysSince(0, 100)).map(withoutRevision))
}

async function allRecords(store: Store): Promise<readonly CallRecord[]> {
  const all: CallRecord[] = []
  for (;;) {
    const page = await store.records(all.at(-1)?.id ?? '', 7)
    if (page.length === 0) return all
    all.push(...page)
  }
}

/** When all instances are lost, every admitted call has a record with its cost or its estimate, and all sums are sums of records. */
export async function mustBalance(store: Store, owed: ReadonlyMap<string, Owed>): Promise<void> {
  const spending = new Map<string, bigint>()
  const costs: [string, number][] = []
  for (const [id, { key, budgets, cost, estimate }] of owed) {
    const charged = cost === 'estimate' ? estimate : cost
    if (charged === 'nothing') continue
    costs.push([id, charged])
    for (const budget of budgets) {
      const name = nameOf(key, budget)
      spending.set(name, (spending.get(name) ?? 0n) + BigInt(charged))
    }
  }
  for (const key of KEYS) {
    for (const { period, start, spent, held } of await store.balances(key)) {
      expect(held).toBe(0n)
      expect(spent).toBe(spending.get(nameOf(key, { period, start })) ?? 0n)
      spending.delete(nameOf(key, { period, start }))
    }
  }
  expect([...spending]).toEqual([])
  expect((await allRecords(store)).map(({ id, cost }) => [id, cost])).toEqual(
    costs.toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  const total = costs.reduce((all, [, cost]) => all + BigInt(cost), 0n)
  expect((await allUsage(store, { ...EVER, by: [] }))[0]?.cost ?? 0n).toBe(total)
}
