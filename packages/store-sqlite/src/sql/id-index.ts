/**
 * Finds objects by their ids, which end with random digits. Not a `Map`: one that V8 has replaced by a larger or tidier one keeps its entries alive until
 * memory is collected as a whole, and a map whose entries come and go is replaced all the time.
 */
export interface IdIndex<T extends { readonly id: string }> {
  count(): number
  find(id: string): T | undefined
  add(entry: T): void
  remove(id: string): T | undefined
}

/** A power of two. */
const PARTS = 256

export function createIndex<T extends { readonly id: string }>(): IdIndex<T> {
  const parts: T[][] = Array.from({ length: PARTS }, () => [])
  let count = 0
  const partOf = (id: string): T[] => {
    const last = id.length - 1
    return parts[(id.charCodeAt(last) * 17 + id.charCodeAt(last - 1)) & (PARTS - 1)] ?? []
  }
  const indexIn = (part: readonly T[], id: string): number => {
    for (let index = 0; index < part.length; index++) if (part[index]?.id === id) return index
    return -1
  }
  return {
    count: () => count,
    find(id) {
      const part = partOf(id)
      return part[indexIn(part, id)]
    },
    add(entry) {
      partOf(entry.id).push(entry)
      count++
    },
    remove(id) {
      const part = partOf(id)
      const index = indexIn(part, id)
      if (index < 0) return undefined
      count--
      return part.splice(index, 1)[0]
    },
  }
}
