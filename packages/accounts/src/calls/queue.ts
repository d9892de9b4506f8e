import type { BatchResult, Settlement, Verdict } from '../store/store.ts'
import { moveToNewSlices, takeGrants, type RunningCall, type Unsettled } from './open-call.ts'
import { commitCost, createSlices, uncommitCost, type Slice, type Slices } from './slices.ts'

/** What waits for the store. */
export interface Queue {
  /** The number of the last group. */
  sent: number
  /** Calls that are open, with another route. */
  raises: RunningCall[]
  openings: RunningCall[]
  settled: Unsettled[]
  /** When the first of them was added. */
  settledAt: number
  /** One of them changes what a limit admits, or was sent before: they go with the next group. */
  isUrgent: boolean
  /** The most entries of each kind in one group. It is less while an entry that the store refuses is searched for. */
  most: number
  readonly slices: Slices
}

/** What is sent to the store at once. */
export interface Group {
  /** A store refuses a group that arrives after one with a greater number. */
  readonly number: number
  readonly raises: readonly RunningCall[]
  readonly openings: readonly RunningCall[]
  readonly settled: readonly Unsettled[]
  readonly slices: readonly Slice[]
}

export const MOST_ENTRIES = 500
/** So many settlements share the cost of a transaction well. */
const ENOUGH = 64

export function createQueue(): Queue {
  return {
    sent: 0,
    raises: [],
    openings: [],
    settled: [],
    settledAt: 0,
    isUrgent: false,
    most: MOST_ENTRIES,
    slices: createSlices(),
  }
}

export function addSettled(queue: Queue, unsettled: Unsettled, now: number): void {
  if (queue.settled.length === 0) queue.settledAt = now
  queue.settled.push(unsettled)
  const { tokens, concurrent } = unsettled.settlement.limits
  if (tokens !== undefined || concurrent !== undefined) queue.isUrgent = true
}

/**
 * Whether settlements should go with the next group. Under load there is a group every millisecond or two, and a store writes a few large groups of records
 * for less than many small ones. What they cost is part of the slices until then, so budgets are the same; limits are not.
 */
export function isSettledDue(queue: Queue, now: number, longestMs: number): boolean {
  const { settled, settledAt, isUrgent, most } = queue
  if (!hasWaiting(queue) || isUrgent || most < MOST_ENTRIES) return true
  return settled.length >= ENOUGH || now - settledAt >= longestMs || now < settledAt
}

/** Whether calls wait for the store: settlements alone are not urgent. */
export function hasWaiting({ raises, openings }: Queue): boolean {
  return openings.length > 0 || raises.length > 0
}

/** Takes the next group, with settlements or without. */
export function takeGroup(queue: Queue, withSettled: boolean): Group {
  const settled = withSettled ? takeSettled(queue) : NONE_SETTLED
  // Openings come last in a batch. A group that is searched for one entry has no openings beside settlements.
  const isSearched = queue.most !== MOST_ENTRIES
  const raises = takeRaises(queue, isSearched ? queue.most - settled.length : MOST_ENTRIES)
  const room = isSearched ? queue.most - settled.length - raises.length : MOST_ENTRIES
  const openings = queue.openings.length <= room ? queue.openings : queue.openings.slice(0, room)
  queue.openings = openings === queue.openings ? [] : queue.openings.slice(openings.length)
  for (const { slices, cost } of settled) for (const slice of slices) commitCost(slice, cost)
  queue.sent++
  return { number: queue.sent, raises, openings, settled, slices: queue.slices.takeChanged() }
}

const NONE_SETTLED: readonly Unsettled[] = []
const NO_RAISES: readonly RunningCall[] = []

function takeSettled(queue: Queue): readonly Unsettled[] {
  const { settled, most } = queue
  queue.settled = settled.length <= most ? [] : settled.slice(most)
  queue.isUrgent &&= queue.settled.length > 0
  return settled.length <= most ? settled : settled.slice(0, most)
}

/** Calls that ended in the meantime are left out: raising them would open them again. */
function takeRaises(queue: Queue, room: number): readonly RunningCall[] {
  if (queue.raises.length === 0) return NO_RAISES
  const [taken, left] = [queue.raises.slice(0, room), queue.raises.slice(room)]
  queue.raises = left
  const running = taken.filter(({ state }) => state !== 'over')
  for (const call of taken) if (call.state === 'over') call.onVerdict('lost')
  return running
}

/** Takes the answer of the store to a group. */
export function takeResult(queue: Queue, { raises, openings }: Group, result: BatchResult): void {
  const { slices } = queue
  const { isNew } = result
  queue.most = Math.min(MOST_ENTRIES, queue.most * 2)
  if (isNew) slices.forget()
  const take = (running: RunningCall, verdict: Verdict | undefined): void => {
    const granted = verdict !== undefined && 'granted' in verdict ? verdict.granted : undefined
    if (isNew && granted !== undefined) moveToNewSlices(running, slices, granted)
    else takeGrants(running, granted)
    running.onVerdict(verdict ?? 'lost')
  }
  for (const [index, running] of raises.entries()) take(running, result.raised?.[index])
  for (const [index, running] of openings.entries()) take(running, result.verdicts[index])
}

/**
 * The store has failed, perhaps after it had done everything. Settlements wait for the next group, in their order. Calls do not wait for a
 * store that fails: they are served without it, or refused.
 */
export function putBack(queue: Queue, group: Group, isServing: boolean): void {
  const [others, dearer] = [queue.openings, queue.raises]
  returnGroup(queue, group)
  queue.openings = []
  queue.raises = []
  for (const running of group.openings) {
    // It is not known whether the store has opened it. Settling it without a record closes it.
    if (!isServing) queue.settled.push({ settlement: nothingOf(running), slices: [], cost: 0, isRefused: true })
  }
  for (const running of [...group.raises, ...dearer, ...group.openings, ...others])
    running.onVerdict(isServing ? 'unknown' : 'lost')
}

/** Everything waits again, in its order. */
export function returnGroup(queue: Queue, group: Group): void {
  queue.slices.restore(group.slices)
  for (const { slices, cost } of group.settled) for (const slice of slices) uncommitCost(slice, cost)
  queue.settled = [...group.settled, ...queue.settled]
  queue.isUrgent = true
  for (const running of [...group.raises, ...group.openings]) takeGrants(running, undefined)
  queue.raises = [...group.raises, ...queue.raises]
  queue.openings = [...group.openings, ...queue.openings]
}

/** Closes a call that did not reach an upstream. */
export function nothingOf({ call: { id, key }, budgets, terms, tokens }: RunningCall): Settlement {
  return { id, key, budgets, limits: terms.limits, tokens: -tokens }
}
