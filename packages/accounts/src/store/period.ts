/** The periods that a budget can have. */
export const PERIODS = ['day', 'week', 'month', 'total'] as const

export type Period = (typeof PERIODS)[number]

/** One period of one kind: a certain day, or a certain month. */
export interface PeriodStart {
  readonly period: Period
  /** Unix milliseconds, at midnight UTC; 0 for the total. Weeks begin on Monday. */
  readonly start: number
}

const DAY_MS = 86_400_000
/** 1970-01-05, a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** The period of a kind that contains a time. */
export function periodAt(period: Period, at: number): PeriodStart {
  return { period, start: START_OF[period](at) }
}

/** When the period ends and the next one begins. Undefined for the total, which never ends. */
export function endOf({ period, start }: PeriodStart): number | undefined {
  switch (period) {
    case 'day':
      return start + DAY_MS
    case 'week':
      return start + 7 * DAY_MS
    case 'month': {
      const date = new Date(start)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    }
    case 'total':
      return undefined
    default:
      return period satisfies never
  }
}

const START_OF: { readonly [Name in Period]: (at: number) => number } = {
  day: (at) => Math.floor(at / DAY_MS) * DAY_MS,
  week: (at) => Math.floor((at - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY_MS,
  month(at) {
    const date = new Date(at)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  },
  total: () => 0,
}
