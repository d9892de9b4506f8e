import type { Draft } from '../lib/members.ts'
import { isObject, type JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'
import type { Losses } from './loss.ts'

/**
 * Every count includes its details: input includes cached tokens, output includes reasoning. Absent means unknown, not 0. Counts are
 * whole numbers from 0 to 10^9, whatever an upstream reports.
 */
export interface Usage extends Node {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite5m?: number
  readonly cacheWrite1h?: number
  readonly reasoning?: number
  readonly toolPrompt?: number
  readonly searches?: number
  /** Pages that the upstream read. */
  readonly fetches?: number
  readonly modalities?: {
    readonly input?: JsonObject
    readonly output?: JsonObject
    readonly cached?: JsonObject
  }
  readonly estimated?: true
  /** The upstream has reported a number that is not a count: the nearest one replaces it. */
  readonly clamped?: true
}

/** Output tokens, and the reasoning in them. */
export interface Written {
  readonly output: number | undefined
  readonly reasoning: number | undefined
}

/**
 * Some upstreams leave reasoning out of their output count, or out of all counts but the total: then all tokens of the total that
 * are not input are output.
 */
export function outputByTotal(
  counted: Written,
  input: number | undefined,
  total: number | undefined,
  usage: Draft<Usage>,
): Written {
  const { output, reasoning } = counted
  if (output === undefined || input === undefined || total === undefined) return counted
  if (total - input <= output) return counted
  const written = readCount(total - input, usage) ?? output
  return { output: written, reasoning: reasoning ?? written - output }
}

/** Tokens written to caches of any lifetime, for protocols with one count of them. */
export function allCacheWrites(usage: Usage, protocol: string, losses: Losses): number | undefined {
  const { cacheWrite5m, cacheWrite1h = 0 } = usage
  if (cacheWrite1h === 0) return cacheWrite5m
  const all = countWithin((cacheWrite5m ?? 0) + cacheWrite1h)
  const reason = `${protocol} usage has one count for all caches`
  if (cacheWrite5m === undefined) losses.added(['cacheWrite5m'], all, reason)
  else losses.changed(['cacheWrite5m'], all, reason)
  return all
}

/** Adds the searches that an answer shows outside its usage; undefined if it shows none. */
export function withSearches(usage: Usage | undefined, searches: unknown): Usage | undefined {
  const counted: Draft<Usage> = { ...usage }
  const count = readCount(searches, counted)
  if (count === undefined) return usage
  counted.searches = count
  return counted
}

/** For protocols whose readers count the searches that an answer shows: reports what they find, if it is not what the usage says. */
export function reportSearches({ searches }: Usage, shown: unknown, protocol: string, losses: Losses): void {
  const count = readCount(shown, {})
  const reason = `${protocol} usage has no searches: readers count those in the answer`
  if (count === searches) return
  if (count === undefined) losses.dropped(['searches'], reason)
  else if (searches === undefined) losses.added(['searches'], count, reason)
  else losses.changed(['searches'], count, reason)
}

/** Cumulative counters overwrite, field by field; they are never added. */
export function overwrite(before: Usage | undefined, now: Usage | undefined): Usage | undefined {
  return before === undefined ? now : now === undefined ? before : { ...before, ...now }
}

/** The usage of two calls together. A count that only one of them has is kept. */
export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const sum: Draft<Usage> = addCounts(one, other)
  for (const name of COUNTS) if (sum[name] !== undefined) sum[name] = readCount(sum[name], sum) ?? 0
  if (sum.modalities !== undefined) {
    const sides = Object.entries(sum.modalities).map(([side, counts]) => [
      side,
      readCounts(Object.entries(counts), sum),
    ])
    sum.modalities = Object.fromEntries(sides) as NonNullable<Usage['modalities']> // the same sides
  }
  return sum
}

const COUNTS = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'reasoning',
  'toolPrompt',
  'searches',
  'fetches',
] as const

/** Numbers are added, also inside objects; of everything else, the last value is kept. */
function addCounts<T extends object>(one: T, other: T): T {
  const counted = one as { readonly [member: string]: unknown } // read by name
  const added = Object.entries(other).map(([member, value]: [string, unknown]) => {
    const before = Object.hasOwn(counted, member) ? counted[member] : undefined
    if (typeof before === 'number' && typeof value === 'number') return [member, before + value] as const
    return [member, isObject(before) && isObject(value) ? addCounts(before, value) : value] as const
  })
  return { ...one, ...Object.fromEntries(added) } // extras may have any member, so never by assignment
}

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

/** The same for a total, which is the sum of two counts. A total that is out of its bounds shows nothing about them. */
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

/** What the price of a call depends on beside its model and its size. */
export interface PriceTerms {
  /** `standard`, `priority`, `flex`, `batch`, or another word of a vendor in lower case. */
  readonly tier?: string
  /** How fast the answer is generated: `standard` or `fast`. */
  readonly speed?: string
  /** Where it is generated: `global`, or a region such as `us`. */
  readonly geo?: string
  /** Why other prices than those of the requested model count: `fallback_message`, `advisor_message` or `credit` of messages. */
  readonly hop?: string
}

/** Whether an answer counts what its request is expected to be billed for: tokens, or searches. */
export function countsExpected(usage: Usage | undefined, { input, searches }: Usage = {}): boolean {
  if (usage === undefined) return false
  return (input === undefined || usage.input !== undefined) && (searches === undefined || usage.searches !== undefined)
}
