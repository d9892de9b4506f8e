import type { JsonObject } from '../lib/json.ts'

/** The most that one count of a usage can be: far above every answer, and small enough for every sum and price of counts. */
const MOST = 1_000_000_000

/** A usage that is being read. */
interface Marked {
  clamped?: true
}

/** The nearest whole number from 0 to 10^9. */
export function countWithin(value: number): number {
  return Math.min(Math.max(Math.round(value), 0), MOST)
}

/** A count that an upstream reports, or a sum of such counts, within bounds. The usage is marked if that changes the number. */
export function readCount(value: unknown, usage: Marked): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined
  const count = countWithin(value)
  if (count !== value) usage.clamped = true
  return count
}

/** The same for a total, which is the sum of two counts. One that is out of its bounds says nothing about them. */
export function readTotal(value: unknown, usage: Marked): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined
  const total = Math.round(value)
  if (total !== value || value < 0 || value > 2 * MOST) usage.clamped = true
  return value < 0 || value > 2 * MOST ? undefined : total
}

/** The same for several counts by name. */
export function readCounts(counts: Iterable<readonly [string, unknown]>, usage: Marked): JsonObject {
  return Object.fromEntries(Array.from(counts, ([name, count]) => [name, readCount(count, usage) ?? 0]))
}
