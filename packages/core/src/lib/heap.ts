/** A priority queue: returns the least item first. */
export interface Heap<T> {
  readonly size: number
  add(item: T): void
  /** Removes the least item. */
  take(): T | undefined
  /** Returns the least item without removing it. */
  least(): T | undefined
}

/** Adding and removing cost the logarithm of the size. */
export function createHeap<T>(rankOf: (item: T) => number): Heap<T> {
  const items: T[] = []
  const rankAt = (position: number): number => rankOf(items[position] as T) // within the list
  const swap = (one: number, other: number) => {
    const item = items[one] as T // within the list
    items[one] = items[other] as T // as above
    items[other] = item
  }
  return {
    get size() {
      return items.length
    },
    add(item) {
      let position = items.push(item) - 1
      for (
        let above = (position - 1) >> 1;
        position > 0 && rankAt(position) < rankAt(above);
        above = (position - 1) >> 1
      ) {
        swap(position, above)
        position = above
      }
    },
    take() {
      const [least] = items
      const last = items.pop()
      if (last === undefined || items.length === 0) return least
      items[0] = last
      for (let position = 0; ;) {
        let next = 2 * position + 1
        if (next + 1 < items.length && rankAt(next + 1) < rankAt(next)) next++
        if (next >= items.length || rankAt(position) <= rankAt(next)) return least
        swap(position, next)
        position = next
      }
    },
    least: () => items[0],
  }
}
