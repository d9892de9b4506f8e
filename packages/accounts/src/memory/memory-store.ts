import type { Clock } from '@dragoman/gateway'
import type { AuditEntry, Store, StoredBodies } from '../store/store.ts'
import type { StoredKey } from '../store/stored-key.ts'
import { createMemoryCalls } from './memory-calls.ts'
import { createMemoryUsage, drop } from './memory-usage.ts'

export interface MemoryStoreOptions {
  readonly clock?: Pick<Clock, 'now'> | undefined
}

/** A store inside the process: for tests, and for gateways that keep nothing across restarts. */
export function createMemoryStore({ clock = Date }: MemoryStoreOptions = {}): Store {
  const now = (): number => clock.now()
  const usage = createMemoryUsage()
  const keys = new Map<string, StoredKey>()
  const entries = new Map<string, AuditEntry>()
  const kept = new Map<string, StoredBodies>()
  let revision = 0
  return {
    title: 'memory',
    findKey: (digest) => [...keys.values()].find((key) => key.digest === digest || key.previous?.digest === digest),
    key: (id) => keys.get(id),
    keysSince: (after, limit) =>
      [...keys.values()]
        .filter((key) => key.revision > after)
        .toSorted((one, other) => one.revision - other.revision)
        .slice(0, limit),
    saveKey(key, before, audit) {
      if ((keys.get(key.id)?.revision ?? 0) !== before) return undefined
      const saved = { ...key, revision: ++revision }
      keys.set(key.id, saved)
      entries.set(audit.id, audit)
      return saved
    },
    ...createMemoryCalls(usage, now),
    usage: usage.usage,
    record: usage.record,
    records: usage.records,
    prune(before, limit) {
      let deleted = drop(kept, ({ until }) => until < now(), limit)
      deleted += usage.prune(before, limit - deleted)
      return deleted + drop(entries, ({ at }) => at < before.audit, limit - deleted)
    },
    writeAudit(entry) {
      entries.set(entry.id, entry)
    },
    audits: (before, limit) =>
      [...entries.values()]
        .filter(({ id }) => before === undefined || id < before)
        .toSorted((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, limit),
    saveBodies(bodies) {
      kept.set(bodies.id, bodies)
    },
    bodies: (id) => kept.get(id),
    close() {},
  }
}
