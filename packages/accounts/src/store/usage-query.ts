import type { PeriodStart } from './period.ts'
import type { TokenCounts } from './call-record.ts'

/** What usage can be summed by. */
export const DIMENSIONS = ['hour', 'day', 'key', 'owner', 'model', 'provider'] as const

export type Dimension = (typeof DIMENSIONS)[number]

export interface UsageQuery {
  /** Unix milliseconds, both rounded down to the hour; `to` is excluded. */
  readonly from: number
  readonly to: number
  /** One row for each combination; with nothing, one row for all. */
  readonly by: readonly Dimension[]
  readonly where: { readonly [Name in 'key' | 'owner' | 'model' | 'provider']?: string | undefined }
}

/** Rows come in the order of `by`: times by number, names by code units. Sums are bigints, because they can exceed what a number is exact for. */
export interface UsageRow {
  /** Hours and days are Unix milliseconds of their begin, as text. */
  readonly dimensions: { readonly [Name in Dimension]?: string }
  readonly calls: number
  /** Calls that failed, were interrupted or cut off. */
  readonly failed: number
  /** Calls with estimates in their cost. */
  readonly estimated: number
  readonly tokens: { readonly [Name in keyof TokenCounts]: bigint }
  /** Nano-dollars. */
  readonly cost: bigint
  /** The time of all calls together. */
  readonly ms: bigint
}

/** The state of a budget in one period. */
export interface Balance extends PeriodStart {
  /** The sum of the costs of all records that this budget has paid for, in nano-dollars. */
  readonly spent: bigint
  /** In slices of instances. */
  readonly held: bigint
}

/** Sorts rows as every store returns them. */
export function inOrder(rows: readonly UsageRow[], by: readonly Dimension[]): readonly UsageRow[] {
  return rows.toSorted((one, other) => {
    for (const name of by) {
      const [left = '', right = ''] = [one.dimensions[name], other.dimensions[name]]
      if (left === right) continue
      if (name === 'hour' || name === 'day') return Number(left) - Number(right)
      return left < right ? -1 : 1
    }
    return 0
  })
}
