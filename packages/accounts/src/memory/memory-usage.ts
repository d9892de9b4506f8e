import type { CallRecord, TokenCounts } from '../store/call-record.ts'
import type { Retention, UsageStore } from '../store/store.ts'
import { addSums, createUsageFold } from '../store/usage-fold.ts'
import { DIMENSIONS, type Dimension, type UsageQuery, type UsageRow } from '../store/usage-query.ts'
import type { Records } from './memory-calls.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const COUNTS = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'reasoning'] as const

/** The sums of one hour, key, owner, model and provider. */
interface Hour extends Omit<UsageRow, 'dimensions'> {
  readonly hour: number
  readonly key: string
  readonly owner: string
  readonly model: string
  readonly provider: string
}

export interface MemoryUsage extends Pick<UsageStore, 'usage' | 'records'>, Records {
  prune(before: Retention, limit: number): number
}

/** Records and their sums per hour in memory. */
export function createMemoryUsage(): MemoryUsage {
  const records = new Map<string, CallRecord>()
  const hours = new Map<string, Hour>()
  const add = (record: CallRecord, sign: 1 | -1): void => {
    const { key, owner, model, provider } = record
    const hour = floor(record.at, HOUR_MS)
    const name = JSON.stringify([hour, key, owner, model, provider])
    hours.set(name, addSums(hours.get(name) ?? { hour, key, owner, model, provider, ...NOTHING }, sumsOf(record), sign))
  }
  return {
    record: (id) => records.get(id),
    records: (after, limit) =>
      [...records.values()]
        .filter(({ id }) => id > after)
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit),
    write(record, before) {
      if (before !== undefined) {
        records.delete(before.id)
        add(before, -1)
      }
      if (record === undefined) return
      records.set(record.id, record)
      add(record, 1)
    },
    usage(query: UsageQuery) {
      const { from, to, by, where } = query
      const fold = createUsageFold(query)
      for (const each of hours.values()) {
        if (each.hour < floor(from, HOUR_MS) || each.hour >= floor(to, HOUR_MS)) continue
        if (each.calls === 0 || !isWhere(each, where)) continue
        const { calls, failed, estimated, tokens, cost, ms } = each
        fold.add({ dimensions: dimensionsOf(each, by), calls, failed, estimated, tokens, cost, ms })
      }
      return fold.page()
    },
    prune(before, limit) {
      const deleted = drop(records, ({ at }) => at < before.records, limit)
      return deleted + drop(hours, ({ hour }) => hour < before.hours, limit - deleted)
    },
  }
}

type Sums = Omit<UsageRow, 'dimensions'>

const NOTHING: Sums = {
  calls: 0,
  failed: 0,
  estimated: 0,
  tokens: { input: 0n, output: 0n, cacheRead: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n, reasoning: 0n },
  cost: 0n,
  ms: 0n,
}

function sumsOf({ outcome, estimated, tokens, cost, ms }: CallRecord): Sums {
  const failed = outcome === 'complete' || outcome === 'aborted' ? 0 : 1
  return { calls: 1, failed, estimated: estimated ? 1 : 0, tokens: wide(tokens), cost: BigInt(cost), ms: BigInt(ms) }
}

function wide(tokens: TokenCounts): Sums['tokens'] {
  return Object.fromEntries(COUNTS.map((name) => [name, BigInt(tokens[name])])) as Sums['tokens'] // all names
}

function dimensionsOf(hour: Hour, by: readonly Dimension[]): UsageRow['dimensions'] {
  const day = floor(hour.hour, DAY_MS)
  const all = { ...hour, hour: String(hour.hour), day: String(day) }
  return Object.fromEntries(DIMENSIONS.filter((name) => by.includes(name)).map((name) => [name, all[name]]))
}

function isWhere(hour: Hour, where: UsageQuery['where']): boolean {
  const names = ['key', 'owner', 'model', 'provider'] as const
  return names.every((name) => where[name] === undefined || where[name] === hour[name])
}

function floor(time: number, step: number): number {
  return Math.floor(time / step) * step
}

/** Deletes at most `limit` entries. */
export function drop<T>(entries: Map<string, T>, isOld: (entry: T) => boolean, limit: number): number {
  const old = [...entries].filter(([, entry]) => isOld(entry)).slice(0, limit)
  for (const [name] of old) entries.delete(name)
  return old.length
}
