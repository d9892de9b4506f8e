import type { AnswerItem } from '@dragoman/core'
import { systemClock, type Clock } from '../ports.ts'

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
  /** Of all items, in bytes. The oldest are forgotten first. */
  readonly bytes?: number | undefined
}

interface Kept {
  readonly text: string
  readonly size: number
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
  let total = 0
  const forget = (key: string, { size }: Kept): void => {
    kept.delete(key)
    total -= size
  }
  const trim = (room: number): void => {
    const now = clock.now()
    for (const [key, item] of kept) {
      if (item.until > now && total + room <= bytes) return
      forget(key, item)
    }
  }
  const keep = (key: string, text: string): void => {
    const old = kept.get(key)
    if (old !== undefined) forget(key, old)
    const size = (key.length + text.length) * BYTES_PER_UNIT + OVERHEAD
    if (size > bytes) return
    trim(size)
    total += size
    kept.set(key, { text, size, until: clock.now() + ms })
  }
  return {
    put(caller, items) {
      for (const { id, text } of items) keep(keyOf(caller, id), text)
    },
    find(caller, ids) {
      trim(0)
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
/** Of an entry of the map. */
const OVERHEAD = 128
