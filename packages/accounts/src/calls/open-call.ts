import type { CallRecord, OpenCall } from '../store/call-record.ts'
import type { Opening, Settlement, SliceWish, Verdict } from '../store/store.ts'
import { reserve, spend, unreserve, type Slice, type Slices } from './slices.ts'
import type { Paying, Terms } from './terms.ts'

/** A call from its first attempt to its end. */
export interface RunningCall {
  readonly terms: Terms
  readonly call: OpenCall
  readonly budgets: readonly Paying[]
  /** The expected tokens. */
  readonly tokens: number
  /** What is reserved for it in each of its slices. It grows if a dearer route is tried. */
  reserved: number
  /** One for each budget; empty while nothing is reserved. */
  slices: readonly Slice[]
  /** One for each slice; undefined where it has enough. */
  wishes: readonly (SliceWish | undefined)[]
  /** `waiting` for the store; `open` in the store; `unknown` to the store, which cannot be reached; `over`. */
  state: 'waiting' | 'open' | 'unknown' | 'over'
  readonly onVerdict: (verdict: Verdict | 'unknown' | 'lost') => void
}

/** A settlement that is not committed yet. */
export interface Unsettled {
  readonly settlement: Settlement
  readonly slices: readonly Slice[]
  readonly cost: number
}

/** Reserves what a call is expected to cost, and returns what the store gets. */
export function openingOf(running: RunningCall, slices: Slices): Opening {
  const { call, budgets, terms, tokens, reserved } = running
  if (budgets.length > 0) {
    running.slices = budgets.map((paying) => slices.sliceOf(call.key, paying))
    running.wishes = running.slices.map((slice, index) => reserve(slice, reserved, budgets[index] ?? NO_BUDGET))
  }
  const wishes = running.wishes.length === 0 ? NO_WISHES : running.wishes.filter((wish) => wish !== undefined)
  return { call, budgets, limits: terms.limits, tokens, wishes }
}

const NO_BUDGET: Paying = { period: 'total', start: 0, limit: 0 }
const NO_WISHES: readonly SliceWish[] = []

/** Takes what the store has granted. Without grants, the reservation ends. */
export function takeGrants(running: RunningCall, granted: readonly number[] | undefined): void {
  let next = 0
  for (const [index, slice] of running.slices.entries()) {
    const wish = running.wishes[index]
    if (wish !== undefined) {
      slice.wished -= wish.least
      slice.left += granted?.[next++] ?? 0
      // If the answer was lost, the store may have granted more than is known here.
      if (granted === undefined) slice.onChange()
    }
    if (granted === undefined) unreserve(slice, running.reserved)
  }
  if (granted === undefined) running.slices = NO_SLICES
  running.wishes = NO_ANSWERS
}

/** The slices before were lost: only what was granted now counts. */
export function moveToNewSlices(running: RunningCall, slices: Slices, granted: readonly number[]): void {
  let next = 0
  const { wishes, reserved } = running
  running.slices = running.budgets.map((paying, index) => {
    const slice = slices.sliceOf(running.call.key, paying)
    slice.left += (wishes[index] === undefined ? 0 : (granted[next++] ?? 0)) - reserved
    slice.reserved += reserved
    return slice
  })
  running.wishes = NO_ANSWERS
}

const NO_SLICES: readonly Slice[] = []
const NO_ANSWERS: readonly undefined[] = []

/** Reserves more, because another attempt is expected to cost more. The store is not asked again. */
export function reserveMore(running: RunningCall, estimate: number): void {
  const more = estimate - running.reserved
  if (more <= 0) return
  running.reserved = estimate
  for (const slice of running.slices) unreserve(slice, -more)
}

/** Ends a call. `used` is the number of tokens it has used. */
export function settlementOf(running: RunningCall, record: CallRecord | undefined, used: number): Unsettled {
  const { call, budgets, terms, tokens, slices, reserved } = running
  const expected = running.state === 'unknown' ? 0 : tokens
  const cost = record?.cost ?? 0
  for (const slice of slices) spend(slice, reserved, cost)
  const { key, id } = call
  return { settlement: { id, key, record, budgets, limits: terms.limits, tokens: used - expected }, slices, cost }
}
