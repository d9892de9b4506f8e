import { compareValues } from './usage-order.ts'
import type { Dimension, UsagePage, UsageQuery, UsageRow } from './usage-query.ts'

/** The rows of a page at most. */
export const MOST_USAGE_ROWS = 1000

/**
 * Makes a page of sums that come in parts and in any order. It holds the rows of the page only, however many groups there are: a row that
 * so many smaller ones push out can never return.
 */
export interface UsageFold {
  add(row: UsageRow): void
  /** The values of the last row, if the page is full: later rows are not on it. */
  last(): readonly string[] | undefined
  page(): UsagePage
}

interface Group {
  readonly values: readonly string[]
  row: UsageRow
}

export function createUsageFold({ by, after, limit }: Pick<UsageQuery, 'by' | 'after' | 'limit'>): UsageFold {
  const most = rowsOf(limit)
  // In order. One more than the page has, to know whether there is another page.
  const groups: Group[] = []
  const last = (): readonly string[] | undefined => (groups.length > most ? groups.at(-1)?.values : undefined)
  return {
    last,
    add(row) {
      const values = valuesOf(row, by)
      if (after !== undefined && compareValues(values, after, by) <= 0) return
      const end = last()
      if (end !== undefined && compareValues(values, end, by) > 0) return
      const at = positionOf(groups, values, by)
      const known = groups[at]
      if (known !== undefined && compareValues(known.values, values, by) === 0) {
        known.row = addSums(known.row, row, 1)
        return
      }
      groups.splice(at, 0, { values, row })
      if (groups.length > most + 1) groups.pop()
    },
    page: () => pageOf(groups.slice(0, most), groups.length > most, by),
  }

  function pageOf(shown: readonly Group[], hasMore: boolean, dimensions: readonly Dimension[]): UsagePage {
    const rows = shown.map(({ row }) => row)
    const end = rows.at(-1)
    return { rows, next: hasMore && end !== undefined ? valuesOf(end, dimensions) : undefined }
  }
}

/** How many rows a page has at most. */
export function rowsOf(limit: number | undefined): number {
  return Math.max(1, Math.min(limit ?? MOST_USAGE_ROWS, MOST_USAGE_ROWS))
}

/** The values that a page is continued after. */
export function valuesOf({ dimensions }: UsageRow, by: readonly Dimension[]): readonly string[] {
  return by.map((name) => dimensions[name] ?? '')
}

/** The index of the first group that does not come before some values. */
function positionOf(groups: readonly Group[], values: readonly string[], by: readonly Dimension[]): number {
  let [from, to] = [0, groups.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (compareValues(groups[middle]?.values ?? [], values, by) < 0) from = middle + 1
    else to = middle
  }
  return from
}

type Sums = Omit<UsageRow, 'dimensions'>

/** Adds sums to those of another row, or takes them away. */
export function addSums<T extends Sums>(one: T, other: Sums, sign: 1 | -1): T {
  const times = BigInt(sign)
  return {
    ...one,
    calls: one.calls + sign * other.calls,
    failed: one.failed + sign * other.failed,
    estimated: one.estimated + sign * other.estimated,
    tokens: {
      input: one.tokens.input + times * other.tokens.input,
      output: one.tokens.output + times * other.tokens.output,
      cacheRead: one.tokens.cacheRead + times * other.tokens.cacheRead,
      cacheWrite5m: one.tokens.cacheWrite5m + times * other.tokens.cacheWrite5m,
      cacheWrite1h: one.tokens.cacheWrite1h + times * other.tokens.cacheWrite1h,
      reasoning: one.tokens.reasoning + times * other.tokens.reasoning,
    },
    cost: one.cost + times * other.cost,
    ms: one.ms + times * other.ms,
  }
}
