import { quickOf } from '../table.ts'
import { combine, uncertaintyOf } from '../uncertainty.ts'

/** The largest difference between two identical servers that agree. */
export const MOST_AA = 0.05
/** Two processes of one server differ by about this much for as long as they run, because of the compiler and the memory layout. */
const LUCK = 0.03
/** The quickest quarter of fewer windows is a window or two. */
export const LEAST_ROUNDS = 8
/** Agreement after a single round can be luck. */
const IN_A_ROW = 3

/** CPU time of a server in each round. */
export type Series = readonly number[]

/** Whether two identical servers agree, and have after the last rounds too. */
export function agrees(first: Series, second: Series): boolean {
  const rounds = Math.min(first.length, second.length)
  const agreed = (count: number): boolean =>
    Math.abs(differenceOf(first.slice(0, count), second.slice(0, count))) <= MOST_AA
  return rounds >= LEAST_ROUNDS && Array.from({ length: IN_A_ROW }, (_none, back) => rounds - back).every(agreed)
}

/** The relative difference of the second of two identical servers to the first. */
export function differenceOf(first: Series, second: Series): number {
  return quickOf(second) / quickOf(first) - 1
}

export interface Ratio {
  readonly value: number
  /** Relative. The true value is within it in about nine of ten runs. */
  readonly uncertainty: number
}

/**
 * The CPU time of a server, divided by the mean of others. It is as certain as its rounds, and as two identical servers agree: their difference has
 * causes that more rounds do not show.
 */
export function ratioOf(own: Series, others: readonly Series[], difference: number): Ratio {
  const ratio = (chosen: readonly number[]): number => {
    const quick = (series: Series): number => quickOf(chosen.flatMap((round) => series[round] ?? []))
    return quick(own) / (others.reduce((sum, other) => sum + quick(other), 0) / others.length)
  }
  const rounds = Math.min(own.length, ...others.map(({ length }) => length))
  // A difference is that of two processes, and the mean of several varies less than one.
  const ofProcesses = Math.max(Math.abs(difference), LUCK) * Math.sqrt((1 + 1 / others.length) / 2)
  const value = ratio([...own.keys()])
  return { value, uncertainty: combine(uncertaintyOf(rounds, ratio), ofProcesses) }
}

/** One line about two identical servers. */
export function describeAA(difference: number): string {
  const percent = `${difference < 0 ? '−' : '+'}${(Math.abs(difference) * 100).toFixed(1)} %`
  const limit = `${Math.round(MOST_AA * 100)} %`
  if (Math.abs(difference) <= MOST_AA) return `A/A: the second yardstick takes ${percent}, within ${limit}`
  return `A/A: two identical servers differ by ${percent}, more than ${limit}. The ± of each figure includes it; a quieter machine gives better figures`
}
