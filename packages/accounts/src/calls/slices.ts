import type { HeldSlice, SliceRequest } from '../store/store.ts'
import { endOf, type Period, type PeriodStart } from '../store/period.ts'
import type { Paying } from './terms.ts'

/**
 * What this instance has of a budget: `left` for further calls, `reserved` for running ones, and `unsettled` for calls that are over and
 * not committed yet. The store knows the sum of the three. `left` is negative if calls have cost more than expected.
 */
export interface Slice {
  readonly key: string
  readonly period: Period
  readonly start: number
  left: number
  reserved: number
  unsettled: number
  /** What openings of the batch under way request at least. */
  requested: number
  /** The store does not know the sum yet. */
  isChanged: boolean
  /** Call it if the sum has changed. */
  readonly onChange: () => void
  /** Since the last heartbeat. */
  isUsed: boolean
  /** It is not held any more. Calls that began with it still end with it. */
  isGone: boolean
}

export interface Slices {
  sliceOf(key: string, paying: PeriodStart): Slice
  /** The slices whose sums the store does not know. From now on they count as known. */
  takeChanged(): readonly Slice[]
  /** The store may not know the sums of these after all. */
  restore(changed: readonly Slice[]): void
  /** Gives back what was not used since the last time, and what belongs to a period that is over. */
  giveBack(now: number): void
  /** Gives back what running calls do not need. */
  giveBackAll(): void
  /** The same for one key: its budget may have changed. */
  release(key: string): void
  /** Forgets everything: the store has given it to others. */
  forget(): void
  isHolding(): boolean
}

/** A slice has room for some further calls, so that not every call needs a grant, and is a small part of the budget. */
const FURTHER_CALLS = 8
const PART = 16

export function createSlices(): Slices {
  const slices = new Map<string, Slice[]>()
  let changes: Slice[] = []
  const each = (run: (slice: Slice) => void): void => {
    for (const list of slices.values()) for (const slice of list) run(slice)
  }
  const sliceOf = (key: string, { period, start }: PeriodStart): Slice => {
    const list = slices.get(key) ?? []
    if (list.length === 0) slices.set(key, list)
    for (const slice of list) if (slice.start === start && slice.period === period) return slice
    const amounts = { left: 0, reserved: 0, unsettled: 0, requested: 0 }
    const onChange = (): void => {
      if (slice.isChanged || slice.isGone) return
      slice.isChanged = true
      changes.push(slice)
    }
    const slice: Slice = { key, period, start, ...amounts, isChanged: false, isUsed: true, isGone: false, onChange }
    list.push(slice)
    return slice
  }
  const empty = (slice: Slice): void => {
    if (slice.left <= 0) return
    slice.left = 0
    slice.onChange()
  }
  return {
    sliceOf,
    takeChanged() {
      const changed = changes
      changes = []
      for (const slice of changed) {
        slice.isChanged = false
        // What was spent beyond the slice is in the spending of the budget.
        slice.left = Math.max(slice.left, -slice.reserved - slice.unsettled)
      }
      return changed
    },
    restore(changed) {
      for (const slice of changed) sliceOf(slice.key, slice).onChange()
    },
    giveBack(now) {
      each((slice) => {
        const isOver = (endOf(slice) ?? Number.POSITIVE_INFINITY) <= now
        if (isOver || !slice.isUsed) empty(slice)
      })
      for (const [key, list] of slices) {
        const kept = list.filter((slice) => slice.isUsed || slice.isChanged || slice.reserved > 0 || sumOf(slice) > 0)
        for (const slice of list) slice.isGone = !kept.includes(slice)
        if (kept.length === 0) slices.delete(key)
        else if (kept.length < list.length) slices.set(key, kept)
      }
      each((slice) => {
        slice.isUsed = false
      })
    },
    giveBackAll: () => each(empty),
    release: (key) => slices.get(key)?.forEach(empty),
    forget() {
      each((slice) => {
        slice.isGone = true
      })
      slices.clear()
      changes = []
    },
    isHolding: () => changes.length > 0 || [...slices.values()].some((list) => list.some((slice) => sumOf(slice) > 0)),
  }
}

/**
 * Reserves the estimate of a call. Returns what the slice needs for it; undefined if it has enough. A call that costs nothing needs
 * nothing, even if the budget is used up.
 */
export function reserve(slice: Slice, estimate: number, { limit }: Paying): SliceRequest | undefined {
  slice.left -= estimate
  slice.reserved += estimate
  slice.isUsed = true
  const least = -slice.left - slice.requested
  if (estimate === 0 || least <= 0) return undefined
  const further = slice.requested > 0 ? 0 : Math.min(estimate * FURTHER_CALLS, Math.floor(limit / PART))
  slice.requested += least
  const { period, start } = slice
  return { period, start, limit, least, wanted: least + further }
}

/** Ends a reservation without any cost. */
export function unreserve(slice: Slice, estimate: number): void {
  slice.left += estimate
  slice.reserved -= estimate
}

/** Ends the reservation of a call that has cost something. */
export function spend(slice: Slice, estimate: number, cost: number): void {
  slice.reserved -= estimate
  slice.left += estimate - cost
  slice.unsettled += cost
}

/** The cost of a call is about to be committed, and is not part of the slice any more. */
export function commitCost(slice: Slice, cost: number): void {
  slice.unsettled -= cost
  slice.onChange()
}

/** The commit has failed. */
export function uncommitCost(slice: Slice, cost: number): void {
  slice.unsettled += cost
  slice.onChange()
}

export function heldSlice(slice: Slice): HeldSlice {
  const { key, period, start } = slice
  return { key, period, start, amount: Math.max(0, sumOf(slice)) }
}

function sumOf({ left, reserved, unsettled }: Slice): number {
  return left + reserved + unsettled
}
