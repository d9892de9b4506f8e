/** Items in order, some of which are over. The first that is not is found without examining any item twice. */
interface Queue<T> {
  add(item: T): void
  first(): T | undefined
}

/** Once `isOver` is true for an item, it stays true. */
export function createQueue<T>(isOver: (item: T) => boolean): Queue<T> {
  const line: Line<T> = { items: [], head: 0 }
  return {
    add: (item) => void line.items.push(item),
    first: () => firstOf(line, isOver),
  }
}

/** The same for each key. */
export interface Queues<T> {
  add(key: string, item: T): void
  first(key: string | undefined): T | undefined
}

export function createQueues<T>(isOver: (item: T) => boolean): Queues<T> {
  const lines = new Map<string | undefined, Line<T>>()
  return {
    add(key, item) {
      const line = lines.get(key)
      if (line === undefined) lines.set(key, { items: [item], head: 0 })
      else line.items.push(item)
    },
    first(key) {
      const line = lines.get(key)
      return line === undefined ? undefined : firstOf(line, isOver)
    },
  }
}

interface Line<T> {
  readonly items: T[]
  /** Everything before it is over. */
  head: number
}

function firstOf<T>(line: Line<T>, isOver: (item: T) => boolean): T | undefined {
  for (; line.head < line.items.length; line.head++) {
    const item = line.items[line.head] as T // within the list
    if (!isOver(item)) return item
  }
  return undefined
}

/** A priority queue: returns the least item first. */
interface Heap<T> {
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
