/**
 * A map that keeps the entries that were used last: at least half as many as `limit`, and never more than it.
 *
 * There are two generations. An entry that is used moves to the young one; when that is full, the old one is dropped as a whole. Nothing
 * is deleted one by one, for the reason in `createSlots`.
 */
export interface Recent<T extends object> {
  get(key: string): T | undefined
  /** Like `get`, but does not count as a use. */
  peek(key: string): T | undefined
  /** Returns the value. */
  set(key: string, value: T): T
  each(visit: (value: T, key: string) => void): void
  isEmpty(): boolean
}

export function createRecent<T extends object>(limit: number): Recent<T> {
  const half = Math.max(1, Math.floor(limit / 2))
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  const set = (key: string, value: T): T => {
    if (young.size >= half && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
    return value
  }
  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      return older === undefined ? undefined : set(key, older)
    },
    peek: (key) => young.get(key) ?? old.get(key),
    set,
    each(visit) {
      young.forEach(visit)
      for (const [key, value] of old) if (!young.has(key)) visit(value, key)
    },
    isEmpty: () => young.size === 0 && old.size === 0,
  }
}
