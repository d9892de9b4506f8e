/**
 * A list of items that come and go, such as running calls. Each item has an index in an array.
 *
 * A `Set` or a `Map` with one added and one deleted entry per call is a large old table with young entries: it is copied each time its
 * deleted entries fill it, and every young collection walks it. Those collections took tens of milliseconds.
 */
export interface Slots<T extends object> {
  /** Returns the slot for `free`. */
  take(item: T): number
  free(slot: number): void
  count(): number
  /** Items may be added and removed during the visit. */
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
