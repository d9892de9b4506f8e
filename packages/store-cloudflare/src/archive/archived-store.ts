import type { CallRecord } from '@dragoman/accounts/store'
import type { ObjectStore } from '../object-store.ts'
import type { Archive } from './archive.ts'

/** About 500 kB of JSON; D1 takes 2 MB in a value. */
const STEP = 500

/** The same store, with records that are in the archive. Records are in the object, in the archive, or for a moment in both. */
export function withArchive(store: ObjectStore, archive: Archive): ObjectStore {
  return {
    ...store,
    // The object is asked first: what it does not have any more is in the archive.
    record: async (id) => (await store.record(id)) ?? archive.record(id),
    async records(after, limit) {
      const own = await store.records(after, limit)
      const archived = await archive.records(after, limit)
      return merge(own, archived).slice(0, limit)
    },
    async prune(before, limit) {
      const deleted = await archive.prune(before.records, limit)
      store.forgetArchived(deleted)
      return deleted.length + (await store.prune(before, limit - deleted.length))
    },
  }
}

/**
 * Moves some records, and returns whether there may be more. A record is removed from the object when D1 has stored it, and moving it again has
 * no effect. Cut records stay, because a late settlement replaces them.
 */
export async function archiveStep(store: ObjectStore, archive: Archive): Promise<boolean> {
  const records = store.finalRecords(STEP)
  if (records.length === 0) return false
  await archive.add(records)
  store.removeRecords(records.map(({ id }) => id))
  return records.length === STEP
}

function merge(own: readonly CallRecord[], archived: readonly CallRecord[]): CallRecord[] {
  const known = new Set(own.map(({ id }) => id))
  const all = [...own, ...archived.filter(({ id }) => !known.has(id))]
  return all.sort((one, other) => (one.id < other.id ? -1 : 1))
}
