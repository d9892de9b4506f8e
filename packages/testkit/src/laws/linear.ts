import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The largest factor for four times the size: a linear step takes about four times as long, a quadratic one sixteen times. */
const FACTOR = 8
/** The least CPU milliseconds of a step for a comparison. Below that, noise decides. */
const LEAST = 2.5
/** The first size and the last. A step that takes no time at the last size is fast enough. */
const FIRST = 250
const MOST = 8000
/** How often a result above the factor is measured again, each time with twice the size. */
const RETRIES = 3
/** A run of this many milliseconds is repeated once only. */
const LONG = 500

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void // what the flag adds to every new context

/** A step to measure: creates an input of the given size, which is not timed, and returns the function that is timed. */
export type Step = (size: number) => () => unknown

/** Linear: four times the input takes at most eight times the CPU time, both the least of up to three runs. A larger `least` finds smaller quadratic parts. */
export function mustBeLinear(step: Step, least = LEAST): void {
  let { size, run, short } = largeEnough(step, least)
  for (let retries = 0; ; retries++) {
    // Garbage of earlier runs makes a long run twice as slow, because it is collected in the middle of it.
    const time = retries === 0 ? timeOf : timeOfClean
    const runLarger = step(size * 4)
    let long = time(runLarger)
    short = Math.min(short, time(run), time(run))
    // Also a very long run is repeated once: the machine may have stood still.
    if (long > short * FACTOR) long = Math.min(long, timeOfClean(runLarger))
    if (long > short * FACTOR && long < LONG) long = Math.min(long, time(runLarger))
    if (long <= short * FACTOR || long < least) return
    if (retries === RETRIES || long > LONG)
      throw new Error(`not linear: ${size} take ${short.toFixed(1)} ms, ${size * 4} take ${long.toFixed(1)} ms`)
    size = Math.min(MOST, size * 2)
    run = step(size)
    short = Math.min(timeOfClean(run), timeOfClean(run))
  }
}

/** The first size that takes long enough, and its time. The runs before it also warm up the code. */
function largeEnough(step: Step, least: number): { size: number; run: () => unknown; short: number } {
  for (let size = FIRST; ; size = Math.min(MOST, size * 2)) {
    const run = step(size)
    const short = Math.min(timeOf(run), timeOf(run))
    if (short >= least || size === MOST) return { size, run, short }
  }
}

/** The CPU time of the process, which other processes do not change. The CPU time of a thread has a resolution of 4 ms on some kernels. */
function timeOf(run: () => unknown): number {
  const before = cpu()
  run()
  return Math.max(0.001, cpu() - before)
}

/** The same after a full collection. */
function timeOfClean(run: () => unknown): number {
  collect()
  return timeOf(run)
}

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
