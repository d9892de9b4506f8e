import type { BatchResult, Settlement } from '../store/store.ts'
import { moveToNewSlices, takeGrants, type RunningCall, type Unsettled } from './open-call.ts'
import { commitCost, uncommitCost, type Slice, type Slices } from './slices.ts'

/** What waits for the store. */
export interface Queue {
  openings: RunningCall[]
  settled: Unsettled[]
  readonly slices: Slices
}

/** What is sent to the store at once. */
export interface Group {
  readonly openings: readonly RunningCall[]
  readonly settled: readonly Unsettled[]
  readonly slices: readonly Slice[]
}

export const MOST_SETTLEMENTS = 500
const MOST_OPENINGS = 500

/** Takes the next group. */
export function takeGroup(queue: Queue): Group {
  const { openings, settled, slices } = queue
  queue.openings = openings.length <= MOST_OPENINGS ? [] : openings.slice(MOST_OPENINGS)
  queue.settled = settled.length <= MOST_SETTLEMENTS ? [] : settled.slice(MOST_SETTLEMENTS)
  const settling = settled.length <= MOST_SETTLEMENTS ? settled : settled.slice(0, MOST_SETTLEMENTS)
  for (const { slices: paying, cost } of settling) for (const slice of paying) commitCost(slice, cost)
  return {
    openings: openings.length <= MOST_OPENINGS ? openings : openings.slice(0, MOST_OPENINGS),
    settled: settling,
    slices: slices.takeChanged(),
  }
}

/** Takes the answer of the store to a group. */
export function takeResult({ slices }: Queue, { openings }: Group, { isNew, verdicts }: BatchResult): void {
  if (isNew) slices.forget()
  for (const [index, running] of openings.entries()) {
    const verdict = verdicts[index]
    const granted = verdict !== undefined && 'granted' in verdict ? verdict.granted : undefined
    if (isNew && granted !== undefined) moveToNewSlices(running, slices, granted)
    else takeGrants(running, granted)
    running.onVerdict(verdict ?? 'lost')
  }
}

/**
 * The store has failed, perhaps after it had done everything. Settlements wait for the next group, in their order. Calls do not wait for a
 * store that fails: they are served without it, or refused.
 */
export function putBack(queue: Queue, group: Group, isServing: boolean): void {
  queue.slices.restore(group.slices)
  for (const { slices, cost } of group.settled) for (const slice of slices) uncommitCost(slice, cost)
  queue.settled = [...group.settled, ...queue.settled]
  const others = queue.openings
  queue.openings = []
  for (const running of group.openings) {
    takeGrants(running, undefined)
    // It is not known whether the store has opened it. Settling it without a record closes it.
    if (!isServing) queue.settled.push({ settlement: nothingOf(running), slices: [], cost: 0 })
  }
  for (const running of [...group.openings, ...others]) running.onVerdict(isServing ? 'unknown' : 'lost')
}

function nothingOf({ call: { id, key }, budgets, terms, tokens }: RunningCall): Settlement {
  return { id, key, budgets, limits: terms.limits, tokens: -tokens }
}
