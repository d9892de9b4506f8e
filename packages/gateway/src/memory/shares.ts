/** Something of a caller that takes up memory. */
export interface Held {
  readonly caller: string
  readonly key: string
  readonly size: number
}

/** Who holds how much of a memory that is shared. */
export interface Shares<T extends Held> {
  add(held: T): void
  remove(held: T): void
  /**
   * What to forget to make room for a caller: its own oldest if it is among those that hold most, or else the oldest of one of those. So a
   * caller loses something only to callers that hold less.
   */
  nextFor(caller: string): T | undefined
}

interface Holder<T> {
  /** In the order of their time. */
  readonly held: Map<string, T>
  size: number
  level: number
}

/** The levels of a doubling: holders of one level differ by less than a tenth. */
const LEVELS = 8

export function createShares<T extends Held>(): Shares<T> {
  const holders = new Map<string, Holder<T>>()
  /** The holders of each level. No level is searched for: each change of a size moves one holder. */
  const levels: Set<Holder<T>>[] = []
  let top = 0
  const levelOf = (size: number): number => Math.floor(Math.log2(size) * LEVELS)
  const insert = (holder: Holder<T>): void => {
    const level = levelOf(holder.size)
    if (level === holder.level) return
    levels[holder.level]?.delete(holder)
    holder.level = level
    ;(levels[level] ??= new Set()).add(holder)
    top = Math.max(top, level)
  }
  const largest = (): Holder<T> | undefined => {
    while (top > 0 && (levels[top]?.size ?? 0) === 0) top--
    const [first] = levels[top] ?? []
    return first
  }
  return {
    add(held) {
      let holder = holders.get(held.caller)
      if (holder === undefined) holders.set(held.caller, (holder = { held: new Map(), size: 0, level: -1 }))
      holder.held.set(held.key, held)
      holder.size += held.size
      insert(holder)
    },
    remove(held) {
      const holder = holders.get(held.caller)
      if (holder === undefined || !holder.held.delete(held.key)) return
      holder.size -= held.size
      if (holder.held.size > 0) return insert(holder)
      levels[holder.level]?.delete(holder)
      holders.delete(held.caller)
    },
    nextFor(caller) {
      const most = largest()
      const mine = holders.get(caller)
      const from = mine?.level === most?.level ? mine : most
      return from?.held.values().next().value
    },
  }
}
