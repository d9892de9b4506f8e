import type { Refused } from '../store/store.ts'

/** Remembers which keys the store has refused a moment ago, so that a flood of refused calls does not reach it. */
export interface RecentRefusals {
  /** What a key was refused for, and until when; undefined if the store must be asked. */
  find(key: string, now: number): RecentRefusal | undefined
  /** `estimate` is what the refused call was expected to cost, in nano-dollars. */
  add(key: string, refused: Refused, estimate: number, now: number): void
  /** Something has changed for the key. */
  remove(key: string): void
}

export interface RecentRefusal {
  readonly refused: Refused
  readonly estimate: number
  /** When the refusal is forgotten. */
  readonly until: number
  /** When such a call may be admitted, if that is known. */
  readonly freeAt: number | undefined
}

/** Smaller calls may be admitted where a larger one was not, and calls of other instances end: such a refusal holds only for a moment. */
const SHORT_MS = 250
const LONGEST_MS = 5000
const MOST = 10_000

export function createRecentRefusals(): RecentRefusals {
  const refusals = new Map<string, RecentRefusal>()
  return {
    find(key, now) {
      const refusal = refusals.get(key)
      if (refusal === undefined || now < refusal.until) return refusal
      refusals.delete(key)
      return undefined
    },
    add(key, refused, estimate, now) {
      const { waitMs } = refused
      const most = refused.refused === 'requests' ? LONGEST_MS : SHORT_MS
      if (refusals.size >= MOST) refusals.clear()
      const freeAt = waitMs === undefined ? undefined : now + waitMs
      refusals.set(key, { refused, estimate, until: now + Math.min(most, waitMs ?? most), freeAt })
    },
    remove: (key) => void refusals.delete(key),
  }
}
