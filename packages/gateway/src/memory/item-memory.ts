import type { AnswerItem } from '@dragoman/core'
import type { Clock } from '@dragoman/core/provider'
import { systemClock } from '../ports/ports.ts'
import { createShares, type Held } from './shares.ts'

/** Remembers items of answers, for requests that name them by id. Items of one caller must never reach another. */
export interface ItemMemory {
  /** Must not throw: the answer has been sent. */
  put(caller: string, items: readonly AnswerItem[]): void
  /** The texts of the items that are known, by their ids. */
  find(caller: string, ids: readonly string[]): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>
}

export interface ItemMemoryOptions {
  readonly clock?: Pick<Clock, 'now'> | undefined
  /** How long an item is remembered, in milliseconds. */
  readonly ms?: number | undefined
  /** Of all items, in bytes. The oldest of the callers with the most are forgotten first. */
  readonly bytes?: number | undefined
}

interface Kept extends Held {
  readonly text: string
  readonly until: number
}

/** A memory inside the process: nothing reaches a disk, and a restart forgets everything. */
export function createItemMemory({
  clock = systemClock,
  ms = 15 * 60_000,
  bytes = 64 * 1024 * 1024,
}: ItemMemoryOptions = {}): ItemMemory {
  // In the order of their time, because every item is kept equally long.
  const kept = new Map<string, Kept>()
  const shares = createShares<Kept>()
  let total = 0
  const forget = (item: Kept): void => {
    kept.delete(item.key)
    shares.remove(item)
    total -= item.size
  }
  const forgetOld = (): void => {
    const now = clock.now()
    for (const item of kept.values()) {
      if (item.until > now) return
      forget(item)
    }
  }
  const makeRoom = (caller: string, size: number): void => {
    for (;;) {
      const item = total + size > bytes ? shares.nextFor(caller) : undefined
      if (item === undefined) return
      forget(item)
    }
  }
  const keep = (caller: string, id: string, text: string): void => {
    const key = keyOf(caller, id)
    const old = kept.get(key)
    if (old !== undefined) forget(old)
    const size = (key.length + text.length) * BYTES_PER_UNIT + OVERHEAD
    if (size > bytes) return
    forgetOld()
    makeRoom(caller, size)
    const item: Kept = { caller, key, text, size, until: clock.now() + ms }
    total += size
    kept.set(key, item)
    shares.add(item)
  }
  return {
    put(caller, items) {
      for (const { id, text } of items) keep(caller, id, text)
    },
    find(caller, ids) {
      forgetOld()
      return new Map(
        ids.flatMap((id) => {
          const item = kept.get(keyOf(caller, id))
          return item === undefined ? [] : [[id, item.text] as const]
        }),
      )
    },
  }
}

/** The length of the first part makes the key unambiguous. */
function keyOf(caller: string, id: string): string {
  return `${caller.length} ${caller}${id}`
}

/** At most: many strings have one byte per unit. */
const BYTES_PER_UNIT = 2
/** Of its entries in two maps. */
const OVERHEAD = 256
