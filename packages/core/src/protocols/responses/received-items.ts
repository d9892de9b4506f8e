import { idOf } from './open-item.ts'
import type { Item } from './schema.ts'

/** The items of a stream, found by their ids, or by their indexes where an event has another id or none. Indexes may have gaps. */
export interface ReceivedItems<T> {
  begin(index: number, item: Item, value: T): void
  find(index: number, id: string | undefined): T | undefined
  /** Ends an item. False if it has ended before. */
  end(index: number, item: Item): boolean
  values(): Iterable<T>
  /** The items of the whole response that have not ended. */
  missing(output: readonly Item[]): readonly Item[]
}

export function createReceivedItems<T>(): ReceivedItems<T> {
  const byIndex = new Map<number, Received<T>>()
  const byId = new Map<string, Received<T>>()
  const ended = new Set<number>()
  const endedIds = new Set<string>()
  let count = 0
  const find = (index: number, id: string | undefined): Received<T> | undefined =>
    (id === undefined ? undefined : byId.get(id)) ?? byIndex.get(index)
  const hasEnded = (index: number, id: string | undefined): boolean =>
    id === undefined ? ended.has(index) : endedIds.has(id)
  return {
    begin(index, item, value) {
      const id = idOf(item)
      const begun = { id, value }
      byIndex.set(index, begun)
      if (id === undefined) return
      byId.set(id, begun)
      // Some upstreams give several items one id.
      endedIds.delete(id)
    },
    find: (index, id) => find(index, id)?.value,
    end(index, item) {
      const id = idOf(item)
      if (hasEnded(index, id)) return false
      const begun = find(index, id)
      if (byIndex.get(index) === begun) byIndex.delete(index)
      byId.delete(begun?.id ?? '')
      ended.add(index)
      if (id !== undefined) endedIds.add(id)
      count++
      return true
    },
    *values() {
      for (const { value } of new Set([...byIndex.values(), ...byId.values()])) yield value
    },
    missing(output) {
      // Some upstreams give an item another id in each event.
      if (output.some((item) => endedIds.has(idOf(item) ?? '')))
        return output.filter((item, index) => !hasEnded(index, idOf(item)))
      return output.length === count ? [] : output.filter((_item, index) => !ended.has(index))
    },
  }
}

interface Received<T> {
  /** The id at its start. */
  readonly id: string | undefined
  readonly value: T
}
