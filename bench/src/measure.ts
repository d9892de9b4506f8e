import { isStable } from './stable.ts'
import { median } from './table.ts'

/** Work to time. It returns a value, so that the compiler cannot remove it. */
export type Work = () => unknown

export interface MeasureOptions {
  readonly rounds: number
  /** The target duration of one batch of one work. */
  readonly batchMs: number
  readonly warmUp: WarmUpOptions
}

/** All works run in windows of this length, in turn, until all of them are stable. */
export interface WarmUpOptions {
  readonly windowMs: number
  readonly least: number
  readonly most: number
}

export interface Measured {
  /** Microseconds of each work, by index. */
  readonly micros: readonly number[]
  /** The ratio of each work to the first one, as the median of all rounds. */
  readonly ratios: readonly number[]
  /** Microseconds of each work in each round. */
  readonly times: readonly (readonly number[])[]
}

/** Runs all works in turn, round by round. A disturbance affects neighboring works too, and the median round counts. */
export function measure(works: readonly Work[], { rounds, batchMs, warmUp }: MeasureOptions): Measured {
  const each = warm(works, warmUp)
  const batches = works.map((work, position) => ({
    work,
    count: Math.max(1, Math.round((batchMs * 1000) / (each[position] ?? 1))),
  }))
  const times: number[][] = works.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step < batches.length; step++) {
      // Each round starts with another work, so that none always follows the same one.
      const position = (step + round) % batches.length
      const batch = batches[position]
      if (batch !== undefined) times[position]?.push(timeBatch(batch.work, batch.count))
    }
  }
  const [floor = []] = times
  return { micros: times.map(median), ratios: times.map((own) => ratioOf(own, floor)), times }
}

/** The median over all rounds, or over some of them: what slows a round down affects both. */
export function ratioOf(
  own: readonly number[],
  other: readonly number[],
  rounds: readonly number[] = [...own.keys()],
): number {
  return median(rounds.map((round) => (own[round] ?? NaN) / (other[round] ?? NaN)))
}

/** Microseconds of each work after the compiler has finished. All works have the same time for that. */
function warm(works: readonly Work[], { windowMs, least, most }: WarmUpOptions): readonly (number | undefined)[] {
  const histories: number[][] = works.map(() => [])
  const stable = (): boolean => histories.every((history) => isStable(history))
  for (let window = 0; window < most && (window < least || !stable()); window++) {
    for (const [position, work] of works.entries()) histories[position]?.push(timeWindow(work, windowMs))
  }
  return histories.map((history) => history.at(-1))
}

function timeWindow(work: Work, windowMs: number): number {
  const end = performance.now() + windowMs
  const before = cpuMicros()
  let count = 0
  do {
    work()
    count++
  } while (performance.now() < end)
  return (cpuMicros() - before) / count
}

function timeBatch(work: Work, count: number): number {
  const before = cpuMicros()
  for (let i = 0; i < count; i++) work()
  return (cpuMicros() - before) / count
}

/** CPU time, including collections on other threads. Other processes do not affect it. Linux has a resolution of microseconds. */
function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
