/** Items in order, some of which are over. The first that is not is found without examining any item twice. */
export interface Queue<T> {
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
