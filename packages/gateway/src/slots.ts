/**
 * Things that come and go, such as the calls that are under way. Each has a slot of an array, and knows which.
 *
 * A `Set` or a `Map` that gains and loses an entry per call is always a large old table with young entries: it is copied each
 * time its deleted entries fill it, and every young collection walks it. That made those collections take tens of milliseconds.
 */
export interface Slots<T extends object> {
  /** Gives the slot that `free` wants back. */
  take(item: T): number
  free(slot: number): void
  count(): number
  /** Items may come and go meanwhile. */
  each(visit: (item: T) => void): void
}

export function createSlots<T extends object>(): Slots<T> {
  const items: (T | undefined)[] = []
  const unused: number[] = []
  return {
    take(item) {
      const slot = unused.pop() ?? items.length
      items[slot] = item
      return slot
    },
    free(slot) {
      if (items[slot] === undefined) return
      items[slot] = undefined
      unused.push(slot)
    },
    count: () => items.length - unused.length,
    each(visit) {
      for (const item of items) if (item !== undefined) visit(item)
    },
  }
}
