import type { PeriodStart } from './period.ts'
import type { TokenCounts } from './call-record.ts'

/** What usage can be summed by. */
export const DIMENSIONS = ['hour', 'day', 'key', 'owner', 'model', 'provider'] as const

export type Dimension = (typeof DIMENSIONS)[number]

export interface UsageQuery {
  /** Unix milliseconds, both rounded down to the hour; `to` is excluded. */
  readonly from: number
  readonly to: number
  /** One row for each combination; one row for all if it is empty. */
  readonly by: readonly Dimension[]
  readonly where: { readonly [Name in 'key' | 'owner' | 'model' | 'provider']?: string | undefined }
  /** The rows of a page: at most 1,000, and 1,000 if absent. */
  readonly limit?: number | undefined
  /** Where the page begins: after the row with these values of `by`, which is the `next` of the page before. */
  readonly after?: readonly string[] | undefined
}

/** A part of a report. All pages together are the report. */
export interface UsagePage {
  readonly rows: readonly UsageRow[]
  /** The values of `by` in the last row; absent if there are no more rows. */
  readonly next?: readonly string[] | undefined
}

/** Rows come in the order of `by`: times by number, names by code points. Sums are bigints, because they can exceed what a number is exact for. */
export interface UsageRow {
  /** Hours and days are the Unix milliseconds of their start, as text. */
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
  /** Held in slices of instances. */
  readonly held: bigint
}
