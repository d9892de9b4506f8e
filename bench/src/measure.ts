import { median } from './table.ts'

/** Work to be timed; it gives something back, so that its author cannot forget what it is for. */
export type Work = () => unknown

export interface MeasureOptions {
  readonly rounds: number
  /** How long one batch of one work should take. */
  readonly batchMs: number
  readonly warmUpMs: number
}

export interface Measured {
  /** Microseconds of each work, by its place. */
  readonly micros: readonly number[]
  /** Each work as a ratio to the first one, round by round, and the middle of those. */
  readonly ratios: readonly number[]
}

/** Runs all works in turn, round by round: what disturbs one disturbs its neighbours too, and the middle round counts. */
export function measure(works: readonly Work[], { rounds, batchMs, warmUpMs }: MeasureOptions): Measured {
  const batches = works.map((work) => {
    const each = warmUp(work, warmUpMs)
    return { work, count: Math.max(1, Math.round((batchMs * 1000) / each)) }
  })
  const times: number[][] = works.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step < batches.length; step++) {
      // Each round begins with another one, so that none always follows the same neighbour.
      const place = (step + round) % batches.length
      const batch = batches[place]
      if (batch !== undefined) times[place]?.push(timeBatch(batch.work, batch.count))
    }
  }
  const [floor = []] = times
  return {
    micros: times.map(median),
    ratios: times.map((own) => median(own.map((time, round) => time / (floor[round] ?? NaN)))),
  }
}

/** Microseconds of one run, once the compiler has seen it. */
function warmUp(work: Work, warmUpMs: number): number {
  const start = performance.now()
  let count = 0
  do {
    work()
    count++
  } while (performance.now() - start < warmUpMs)
  return ((performance.now() - start) * 1000) / count
}

/** By the clock: CPU time is counted in steps of milliseconds on many machines, and a batch is as short as one step. */
function timeBatch(work: Work, count: number): number {
  const start = performance.now()
  for (let i = 0; i < count; i++) work()
  return ((performance.now() - start) * 1000) / count
}
