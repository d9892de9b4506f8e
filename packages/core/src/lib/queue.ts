/** Things in the order they came, some of which are over: the first that is not is found without looking at any twice. */
export interface Queue<T> {
  add(item: T): void
  first(): T | undefined
}

/** What `isOver` holds for is so for good. */
export function createQueue<T>(isOver: (item: T) => boolean): Queue<T> {
  const items: T[] = []
  let head = 0
  return {
    add: (item) => void items.push(item),
    first() {
      for (; head < items.length; head++) {
        const item = items[head] as T // within the list
        if (!isOver(item)) return item
      }
      return undefined
    },
  }
}

/** The same for each key. */
export interface Queues<T> {
  add(key: string, item: T): void
  first(key: string | undefined): T | undefined
}

export function createQueues<T>(isOver: (item: T) => boolean): Queues<T> {
  const queues = new Map<string | undefined, Queue<T>>()
  return {
    add(key, item) {
      let queue = queues.get(key)
      if (queue === undefined) queues.set(key, (queue = createQueue(isOver)))
      queue.add(item)
    },
    first: (key) => queues.get(key)?.first(),
  }
}
