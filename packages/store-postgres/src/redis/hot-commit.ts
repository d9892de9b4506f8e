import type { Batch, BatchResult, CallStore, Limits } from '@dragoman/accounts/store'
import { unpackResult } from '../commit.ts'
import { createAsk, type Instance } from './ask.ts'
import type { Counted, Counters } from './counters.ts'
import { countedOpening, finish, type Sides } from './finish.ts'
import { isGranted, planAlone, planTogether, undoOf } from './plan.ts'

export interface HotCommitOptions {
  readonly counters: Counters
  readonly commit: Sides['commit']
  /** The open calls of an instance, from PostgreSQL. */
  readonly openCalls: (instance: string) => Promise<readonly { readonly id: string; readonly key: string }[]>
  readonly onError: (error: Error) => void
}

/**
 * Commits with limits in Redis and everything else in PostgreSQL, both at the same time. A call is open if both have granted it; what only
 * one of them has granted is taken back. Without Redis, PostgreSQL does it all.
 */
export function createHotCommit({ counters, commit, openCalls, onError }: HotCommitOptions): CallStore['commit'] {
  const instances = new Map<string, Instance>()
  const { ask, isWorthATry } = createAsk(counters, onError)

  return async (batch) => {
    const { instance: id, settlements, last } = batch
    const instance = instances.get(id) ?? { isSynced: true, isKnown: false, counted: new Set() }
    instances.set(id, instance)
    const result = await (instance.isSynced ? commitTogether(batch, instance) : commitAlone(batch, instance))
    for (const settlement of settlements) instance.counted.delete(settlement.id)
    if (last === true) instances.delete(id)
    return result
  }

  async function commitTogether(batch: Batch, instance: Instance): Promise<BatchResult> {
    const { settlements, openings } = batch
    const [counted, committed] = await Promise.all([
      ask(batch, instance, { settlements, openings: openings.map(countedOpening) }),
      commit({ ...batch, settlements: settlements.map(withoutLimits), openings: openings.map(withoutLimits) }).catch(
        (error: unknown) => ({ error }),
      ),
    ])
    if ('error' in committed) {
      if (counted !== undefined) await takeBack(batch, instance, counted)
      throw committed.error
    }
    const plan = counted === undefined ? planAlone(batch, committed) : planTogether(batch, committed, counted)
    return finish({ ask, commit }, batch, instance, committed, plan, counted)
  }

  /** PostgreSQL has failed. Whether the batch is sent again or not, it finds the limits as they were. */
  async function takeBack(batch: Batch, instance: Instance, counted: Counted): Promise<void> {
    const undo = undoOf(batch, counted, new Set(counted.buckets.keys()))
    const granted = batch.openings.filter((_, index) => isGranted(counted.verdicts[index]))
    await ask(batch, instance, { undo, close: granted.map(({ call }) => call.id) })
  }

  async function commitAlone(batch: Batch, instance: Instance): Promise<BatchResult> {
    const settlements = batch.settlements.map((each) => {
      return instance.counted.has(each.id) ? withoutLimits(each) : each
    })
    const result = unpackResult(await commit({ ...batch, settlements }), batch)
    if (isWorthATry()) await sync(batch, instance).catch(onError)
    return result
  }

  /** Redis is back. It gets the open calls of the instance, whatever it knows. */
  async function sync(batch: Batch, instance: Instance): Promise<void> {
    const open = await openCalls(batch.instance)
    const calls = open.map((call) => ({ ...call, isCounted: instance.counted.has(call.id) }))
    instance.isKnown = false
    instance.isSynced = (await ask(batch, instance, { calls })) !== undefined
  }
}

function withoutLimits<T extends { readonly limits: Limits }>(entry: T): T {
  return { ...entry, limits: {} }
}
