import {
  createMemoryStore,
  periodAt,
  PERIODS,
  type Batch,
  type BatchResult,
  type HeldSlice,
  type OpenCall,
  type Opening,
  type Raise,
  type Settlement,
  type SliceRequest,
  type Store,
  type StoredKey,
  type Verdict,
} from '@dragoman/accounts'
import { createManualClock, type ManualClock } from '@dragoman/gateway'
import { expect } from 'vitest'
import { KEYS, mustBalance, mustBeAlike, nameOf, withoutRevision, type Owed } from './compare-stores.ts'
import type { CommitStep, OpeningStep, Program, RaiseStep, SettlementStep, Step } from './program.ts'
import type { StoreSubject } from './subject.ts'
import { auditEntry, callRecord, HARD_TEXT, idAt, storedKey, TTL_MS } from './values.ts'

/** The end of a program passes this time, so that every instance is lost. */
const LONG_MS = 2 * TTL_MS

/** What an instance remembers. */
interface Instance {
  readonly name: string
  readonly store: Store
  /** All calls that it has opened, also those that are over. */
  readonly calls: Opening[]
  readonly slices: Map<string, HeldSlice>
  sent: Batch[]
}

interface World {
  readonly clock: ManualClock
  readonly store: Store
  readonly model: Store
  readonly instances: readonly Instance[]
  /** The calls that were admitted or settled. */
  readonly owed: Map<string, Owed>
  isPruned: boolean
  count: number
}

/** Runs a program on the store and on the one in memory, compares every answer, and in the end everything that they contain. */
export async function runProgram(subject: StoreSubject, { start, steps }: Program): Promise<void> {
  const clock = createManualClock(start)
  const store = await subject.open(clock)
  const second = (await subject.connect?.(clock)) ?? store
  const model = createMemoryStore({ clock })
  const instances = ['a', 'b', HARD_TEXT].map((name, index) => {
    return { name, store: index === 0 ? store : second, calls: [], slices: new Map<string, HeldSlice>(), sent: [] }
  })
  const world: World = { clock, store, model, instances, owed: new Map(), isPruned: false, count: 0 }
  try {
    for (const step of steps) await runStep(world, step)
    await mustBeAlike(store, model)
    clock.advance(LONG_MS)
    await runStep(world, { does: 'bury' })
    await mustBeAlike(store, model)
    // A call that is settled after its record was deleted is charged again.
    if (!world.isPruned) await mustBalance(store, world.owed)
  } finally {
    if (second !== store) await second.close()
    await store.close()
  }
}

async function runStep(world: World, step: Step): Promise<void> {
  const { clock, store, model } = world
  world.count++
  switch (step.does) {
    case 'pass':
      clock.advance(step.ms)
      return
    case 'commit':
      await runCommit(world, step)
      return
    case 'bury':
      expect(await store.buryLost()).toBe(await model.buryLost())
      return
    case 'prune':
      await runPrune(world, step)
      return
    case 'save-key':
      await runSaveKey(world, step)
      return
    case 'write-audit': {
      const entry = auditEntry(world.count, { at: clock.now(), detail: { [step.text]: step.text } })
      for (const each of [store, model]) await each.writeAudit(entry)
      return
    }
    case 'save-bodies': {
      const { call, ms, text } = step
      const bodies = {
        id: idAt(call, call),
        key: text,
        until: clock.now() + ms,
        request: text,
        answer: `${text}${call}`,
      }
      for (const each of [store, model]) await each.saveBodies(bodies)
      expect(await store.bodies(bodies.id)).toEqual(bodies)
      return
    }
    default:
      step satisfies never
  }
}

async function runCommit(world: World, step: CommitStep): Promise<void> {
  const instance = world.instances[step.instance]!
  const settlements = step.settlements.flatMap((each) => settlementOf(instance, each))
  const settling = new Set(settlements.map(({ id }) => id))
  const raises = step.raises.flatMap((each) => raiseOf(world, instance, each, settling))
  const openings = step.openings.map((each, index) => openingOf(world, instance, each, index))
  const batch: Batch = {
    instance: instance.name,
    number: instance.sent.length + 1,
    ttlMs: TTL_MS,
    settlements,
    slices: step.slices.flatMap(({ slice, part }) => sliceOf(instance, slice, part)),
    raises,
    openings,
    last: step.isLast ? true : undefined,
  }
  const first = await commitToBoth(world, instance, batch)
  const result = step.isRepeated ? await commitToBoth(world, instance, batch) : first
  const before = instance.sent.at(-1)
  instance.sent.push(batch)
  if (step.isOvertaking && before !== undefined) {
    for (const each of [instance.store, world.model]) {
      await expect((async () => each.commit(before))()).rejects.toThrow('has come after a later one')
    }
  }
  for (const each of batch.settlements) noteSettlement(world, each)
  noteResult(world, instance, [...raises, ...openings], result, first.isNew ? new Set() : new Set(raises))
  await mustNotOvergrant(world, [...raises, ...openings], [...(result.raised ?? []), ...result.verdicts])
  if (step.isLast) instance.slices.clear()
}

async function commitToBoth({ model }: World, { store }: Instance, batch: Batch): Promise<BatchResult> {
  const result = await store.commit(batch)
  expect(result).toEqual(await model.commit(batch))
  return result
}

function openingOf(world: World, { name, calls }: Instance, step: OpeningStep, index: number): Opening {
  const at = world.clock.now()
  const key = KEYS[step.key]!
  const number = (world.count * 10 + index) * 3 + world.instances.findIndex((each) => each.name === name)
  const { owner, model, estimate, limits, tokens } = step
  const call: OpenCall = {
    id: idAt(at, number),
    at,
    key,
    owner,
    conversation: '',
    operation: 'generate',
    asked: model,
    model,
    provider: model.split('/')[0]!,
    protocol: 'chat',
    mode: 'translate',
    stream: false,
    estimate,
  }
  const budgets = PERIODS.map((period) => periodAt(period, at))
  const opening = { call, budgets, limits, tokens, sliceRequests: sliceRequestsOf(step, at) }
  calls.push(opening)
  return opening
}

function sliceRequestsOf({ sliceRequests }: Pick<OpeningStep, 'sliceRequests'>, at: number): readonly SliceRequest[] {
  return sliceRequests.map(({ period, limit, least, more }) => ({
    ...periodAt(period, at),
    limit,
    least,
    wanted: least + more,
  }))
}

/** An instance raises calls that are under way: those that it has not settled. */
function raiseOf(
  { owed }: World,
  { calls }: Instance,
  { call: number, model, ...step }: RaiseStep,
  settling: ReadonlySet<string>,
): Raise[] {
  const opening = calls[number % calls.length]
  if (opening === undefined || settling.has(opening.call.id)) return []
  const { call, budgets } = opening
  if (owed.get(call.id)?.cost !== 'estimate') return []
  const raised = { ...call, model, provider: model.split('/')[0]!, estimate: step.estimate }
  return [{ call: raised, budgets, sliceRequests: sliceRequestsOf(step, call.at) }]
}

/** A call of the instance may be settled again and again: only the first time counts. */
function settlementOf({ calls }: Instance, { call: number, record, tokens }: SettlementStep): Settlement[] {
  const opening = calls[number % calls.length]
  if (opening === undefined) return []
  const { call, budgets, limits } = opening
  return [{ id: call.id, key: call.key, record: record && callRecord(call, record), budgets, limits, tokens }]
}

function sliceOf({ slices }: Instance, number: number, part: number): HeldSlice[] {
  const slice = [...slices.values()][number % slices.size]
  if (slice === undefined) return []
  const less = { ...slice, amount: Math.floor(slice.amount * part) }
  slices.set(nameOf(slice.key, slice), less)
  return [less]
}

function noteSettlement({ owed }: World, { id, key, record, budgets }: Settlement): void {
  const before = owed.get(id)
  if (typeof before?.cost === 'number' || (before === undefined && record === undefined)) return
  owed.set(id, { key, budgets, cost: record?.cost ?? 'nothing', estimate: before?.estimate ?? 0 })
}

function noteResult(
  { owed }: World,
  { slices }: Instance,
  entries: readonly Raise[],
  { isNew, raised = [], verdicts }: BatchResult,
  /** Raises of calls that were open. Those of an instance that was lost open them again. */
  open: ReadonlySet<Raise>,
): void {
  if (isNew) slices.clear()
  for (const [index, verdict] of [...raised, ...verdicts].entries()) {
    const entry = entries[index]!
    const { call, budgets, sliceRequests } = entry
    if (!('granted' in verdict)) continue
    const before = open.has(entry) ? (owed.get(call.id)?.estimate ?? 0) : 0
    owed.set(call.id, { key: call.key, budgets, cost: 'estimate', estimate: Math.max(before, call.estimate) })
    for (const [number, { period, start }] of sliceRequests.entries()) {
      const name = nameOf(call.key, { period, start })
      const amount = verdict.granted[number]! + (slices.get(name)?.amount ?? 0)
      slices.set(name, { key: call.key, period, start, amount })
    }
  }
}

/** After something of a budget was granted, spending and slices together are within it. */
async function mustNotOvergrant(
  { store }: World,
  openings: readonly Raise[],
  verdicts: readonly Verdict[],
): Promise<void> {
  for (const [index, { call, sliceRequests }] of openings.entries()) {
    const verdict = verdicts[index]!
    if (!('granted' in verdict)) continue
    const balances = await store.balances(call.key)
    for (const [number, { period, start }] of sliceRequests.entries()) {
      if (verdict.granted[number] === 0) continue
      const limit = Math.max(
        ...openings
          .flatMap((each) => each.sliceRequests.filter((request) => request.period === period))
          .map((request) => request.limit),
      )
      const balance = balances.find((each) => each.period === period && each.start === start)
      expect(balance!.spent + balance!.held).toBeLessThanOrEqual(BigInt(limit))
    }
  }
}

async function runPrune(world: World, { ageMs, limit }: Step & { does: 'prune' }): Promise<void> {
  const { clock, store, model } = world
  const time = clock.now() - ageMs
  const before = { records: time, hours: time, audit: time }
  const totalOf = async (each: Store): Promise<number> => {
    let total = 0
    for (;;) {
      const deleted = await each.prune(before, limit)
      expect(deleted).toBeLessThanOrEqual(limit)
      if (deleted === 0) return total
      total += deleted
    }
  }
  const total = await totalOf(store)
  expect(total).toBe(await totalOf(model))
  if (total > 0) world.isPruned = true
}

async function runSaveKey({ clock, store, model, count }: World, step: Step & { does: 'save-key' }): Promise<void> {
  const id = KEYS[step.key]!
  const digest = idAt(step.secret, step.key).repeat(2)
  const save = async (each: Store): Promise<StoredKey | undefined> => {
    const old = (await each.keysSince(0, 100)).find((other) => other.id === id)
    const previous = old && { digest: old.digest, until: clock.now() }
    const key = storedKey({ id, digest, previous, name: step.name, owner: step.name })
    const revision = old?.revision ?? 0
    return each.saveKey(key, step.isStale ? revision + 1 : revision, auditEntry(count, { at: clock.now(), target: id }))
  }
  expect(withoutRevision(await save(store))).toEqual(withoutRevision(await save(model)))
  expect(withoutRevision(await store.findKey(digest))).toEqual(withoutRevision(await model.findKey(digest)))
}
