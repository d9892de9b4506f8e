import { readTokens } from './token-columns.ts'
import type { UsageRow } from './usage-query.ts'

/** The columns in which drivers with SQL keep the sums of an hour. */
export const SUM_COLUMNS = [
  'calls',
  'failed',
  'estimated',
  'input',
  'output',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'reasoning',
  'cost',
  'ms',
] as const

export type SumColumn = (typeof SUM_COLUMNS)[number]

/** The sums of a row. They can exceed what a number holds, so the database gives them as text. */
export function sumsOf(read: (column: SumColumn) => string): Omit<UsageRow, 'dimensions'> {
  const sum = (column: SumColumn): bigint => BigInt(read(column))
  return {
    calls: Number(read('calls')),
    failed: Number(read('failed')),
    estimated: Number(read('estimated')),
    tokens: readTokens(sum),
    cost: sum('cost'),
    ms: sum('ms'),
  }
}
