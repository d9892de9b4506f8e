import { correctTokens, EMPTY_BUCKET, ratesOf, takeFrom, type Bucket } from '../store/bucket.ts'
import { cutRecord, type CallRecord, type OpenCall } from '../store/call-record.ts'
import { lateBatch } from '../store/late-batch.ts'
import type { PeriodStart } from '../store/period.ts'
import type { Batch, BatchResult, CallStore, Opening, Raise, Settlement, Verdict } from '../store/store.ts'
import { createMemoryBudgets, type Slices } from './memory-budgets.ts'

/** What the calls need of the usage. */
export interface Records {
  record(this: void, id: string): CallRecord | undefined
  /** Replaces the record before, which may be absent, by another one, or by none. */
  write(this: void, record: CallRecord | undefined, before: CallRecord | undefined): void
}

interface Instance {
  until: number
  readonly slices: Slices
  readonly calls: Map<string, { readonly call: OpenCall; readonly budgets: readonly PeriodStart[] }>
}

/** Open calls, limits and budgets in memory. It is also the shortest description of what every store does. */
export function createMemoryCalls(records: Records, now: () => number): CallStore {
  const budgets = createMemoryBudgets(now)
  const instances = new Map<string, Instance>()
  const order = createOrder()
  const buckets = new Map<string, Bucket>()

  const write = (id: string, key: string, record: CallRecord | undefined, paying: readonly PeriodStart[]): void => {
    const before = records.record(id)
    if (isFinal(before)) return
    records.write(record, before)
    budgets.charge(key, paying, (record?.cost ?? 0) - (before?.cost ?? 0))
  }
  const settle = ({ id, key, record, budgets: paying, limits, tokens }: Settlement, { calls }: Instance): void => {
    const before = records.record(id)
    const wasOpen = calls.delete(id)
    const isRepeated = isFinal(before) || (record === undefined && before === undefined && !wasOpen)
    if (isRepeated) return
    if (limits.tokens !== undefined) {
      buckets.set(key, correctTokens(buckets.get(key) ?? EMPTY_BUCKET, limits, tokens, now()))
    }
    if (record !== undefined || before !== undefined) write(id, key, record, paying)
  }
  const openCalls = (key: string): number => {
    let count = 0
    for (const { calls } of instances.values()) for (const { call } of calls.values()) if (call.key === key) count++
    return count
  }
  const open = (opening: Opening, { calls, slices }: Instance): Verdict => {
    const { call, budgets: paying, limits, tokens, sliceRequests: asked } = opening
    const { key } = call
    const before = correctTokens(buckets.get(key) ?? EMPTY_BUCKET, limits, 0, now())
    const rates = ratesOf(before, limits)
    if (calls.has(call.id)) return { granted: asked.map(() => 0), rates }
    const { bucket, refused, waitMs } = takeFrom(before, limits, tokens, now())
    if (refused !== undefined) return { refused, waitMs, rates }
    if (limits.concurrent !== undefined && openCalls(key) >= limits.concurrent) return { refused: 'concurrent', rates }
    const granted = budgets.grantAll(key, asked, slices, rates)
    if ('refused' in granted) return granted
    buckets.set(key, bucket)
    calls.set(call.id, { call, budgets: paying })
    return { ...granted, rates: ratesOf(bucket, limits) }
  }
  const raise = ({ call, budgets: paying, sliceRequests: asked }: Raise, { calls, slices }: Instance): Verdict => {
    const open = calls.get(call.id)
    if (open !== undefined && open.call.estimate >= call.estimate) return { granted: asked.map(() => 0), rates: {} }
    const granted = budgets.grantAll(call.key, asked, slices, {})
    if ('granted' in granted) calls.set(call.id, { call, budgets: paying })
    return granted
  }
  const forget = (id: string): void => (instances.delete(id), budgets.forget(id))
  return {
    commit({ instance: id, number, ttlMs, settlements, slices, raises, openings, last }: Batch): BatchResult {
      order.enter(id, number)
      const known = instances.get(id)
      const instance = known ?? { until: 0, slices: budgets.slicesOf(id), calls: new Map() }
      instances.set(id, instance)
      instance.until = now() + ttlMs
      for (const settlement of settlements) settle(settlement, instance)
      for (const slice of slices) instance.slices.hold(slice)
      const raised = raises?.map((each) => raise(each, instance))
      const verdicts = openings.map((opening) => open(opening, instance))
      if (last === true) {
        // Calls that are still open are closed like those of a lost instance.
        instance.until = now()
        if (instance.calls.size === 0) forget(id)
      }
      return { isNew: known === undefined, ...(raised === undefined ? {} : { raised }), verdicts }
    },
    buryLost() {
      let closed = 0
      for (const [id, { until, calls }] of instances) {
        if (until > now()) continue
        forget(id)
        for (const { call, budgets: paying } of calls.values()) write(call.id, call.key, cutRecord(call), paying)
        closed += calls.size
      }
      return closed
    },
    balances: budgets.balances,
  }
}

/** The greatest number of a batch of each instance, also of those that are lost. */
function createOrder(): { readonly enter: (instance: string, number: number) => void } {
  const numbers = new Map<string, number>()
  return {
    enter(instance, number) {
      if (number < (numbers.get(instance) ?? 0)) throw lateBatch({ instance, number })
      numbers.set(instance, number)
    },
  }
}

/** A record that is cut is replaced if the instance returns. */
function isFinal(record: CallRecord | undefined): boolean {
  return record !== undefined && record.outcome !== 'cut'
}
