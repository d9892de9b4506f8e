import type { CallRecord, OpenCall } from '../store/call-record.ts'
import type { Opening, Raise, Settlement, SliceRequest, Verdict } from '../store/store.ts'
import { reserve, spend, unreserve, type Slice, type Slices } from './slices.ts'
import type { Paying, Terms } from './terms.ts'

/** A call from its first attempt to its end. */
export interface RunningCall {
  readonly terms: Terms
  /** A later attempt can have another route, and a higher estimate. */
  call: OpenCall
  readonly budgets: readonly Paying[]
  /** The expected tokens. */
  readonly tokens: number
  /** What is reserved for it in each of its slices. */
  reserved: number
  /** What the store is asked for, at first or for another attempt: a part of what is reserved. */
  asked: number
  /** One for each budget; empty while nothing is reserved. */
  slices: readonly Slice[]
  /** One for each slice; undefined where it has enough. */
  sliceRequests: readonly (SliceRequest | undefined)[]
  /** `waiting` for the store; `open` in the store; `unknown` to the store, which cannot be reached; `over`. */
  state: 'waiting' | 'open' | 'unknown' | 'over'
  /** Takes the store's answer to the last request. */
  onVerdict: (verdict: Verdict | 'unknown' | 'lost') => void
}

/** A settlement that is not committed yet. */
export interface Unsettled {
  readonly settlement: Settlement
  readonly slices: readonly Slice[]
  readonly cost: number
  /** Closes a call that was refused, if the store has opened it. */
  readonly isRefused?: true
}

/** Reserves what a call is expected to cost, and returns what the store gets. */
export function openingOf(running: RunningCall, slices: Slices): Opening {
  const { call, budgets, terms, tokens } = running
  if (budgets.length > 0) running.slices = budgets.map((paying) => slices.sliceOf(call.key, paying))
  return { call, budgets, limits: terms.limits, tokens, sliceRequests: reserveAsked(running) }
}

/** Reserves what another attempt is expected to cost beyond that, and returns what the store gets. */
export function raiseOf(running: RunningCall): Raise {
  const { call, budgets } = running
  return { call, budgets, sliceRequests: reserveAsked(running) }
}

function reserveAsked(running: RunningCall): readonly SliceRequest[] {
  const { slices, budgets, asked } = running
  running.reserved += asked
  if (slices.length === 0) return NO_REQUESTS
  running.sliceRequests = slices.map((slice, index) => reserve(slice, asked, budgets[index] ?? NO_BUDGET))
  return running.sliceRequests.filter((request) => request !== undefined)
}

const NO_BUDGET: Paying = { period: 'total', start: 0, limit: 0 }
const NO_REQUESTS: readonly SliceRequest[] = []

/** Takes what the store has granted. Without grants, the reservation of what was asked for ends; that of a call that is over has ended. */
export function takeGrants(running: RunningCall, granted: readonly number[] | undefined): void {
  let next = 0
  const isRefused = granted === undefined && running.reserved > 0
  for (const [index, slice] of running.slices.entries()) {
    const request = running.sliceRequests[index]
    if (request !== undefined) {
      slice.requested -= request.least
      slice.left += granted?.[next++] ?? 0
      // If the answer was lost, the store may have granted more than is known here.
      if (granted === undefined) slice.onChange()
    }
    if (isRefused) unreserve(slice, running.asked)
  }
  if (isRefused) running.reserved -= running.asked
  if (granted === undefined && running.state === 'waiting') running.slices = NO_SLICES
  running.sliceRequests = NO_ANSWERS
}

/** The slices before were lost: only what was granted now counts. */
export function moveToNewSlices(running: RunningCall, slices: Slices, granted: readonly number[]): void {
  let next = 0
  const { sliceRequests, reserved } = running
  running.slices = running.budgets.map((paying, index) => {
    const slice = slices.sliceOf(running.call.key, paying)
    slice.left += (sliceRequests[index] === undefined ? 0 : (granted[next++] ?? 0)) - reserved
    slice.reserved += reserved
    return slice
  })
  running.sliceRequests = NO_ANSWERS
}

const NO_SLICES: readonly Slice[] = []
const NO_ANSWERS: readonly undefined[] = []

/** Ends a call. `used` is the number of tokens it has used. */
export function settlementOf(running: RunningCall, record: CallRecord | undefined, used: number): Unsettled {
  const { call, budgets, terms, tokens, slices, reserved } = running
  const expected = running.state === 'unknown' ? 0 : tokens
  const cost = record?.cost ?? 0
  for (const slice of slices) spend(slice, reserved, cost)
  running.reserved = 0
  const { key, id } = call
  return { settlement: { id, key, record, budgets, limits: terms.limits, tokens: used - expected }, slices, cost }
}
