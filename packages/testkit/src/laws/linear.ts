import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How many times larger the long run is. As many short runs are compared with it: a busy host delays both alike. */
const TIMES = 4
/** The largest factor between them: 1 for a linear step, 4 for a quadratic one. */
const FACTOR = 2
/** The least CPU milliseconds of a step for a comparison. Below that, noise decides. */
const LEAST = 2
/** The first size and the last. A step that takes no time at the last size is fast enough. */
const FIRST = 250
const MOST = 8000
/** How often a result above the factor is measured again, each time with twice the size. */
const RETRIES = 3
/** How often a size is measured, and the last one, before the law fails. */
const ROUNDS = 2
const LAST_ROUNDS = 10
/** After runs of this many milliseconds the size is not doubled again. */
const LONG = 250
const LONG_ROUNDS = 6
/** Runs of this many milliseconds are clear after three rounds, each above a factor that no linear step has three times: larger sizes show no more. */
const CLEAR = { ms: 100, rounds: 3, factor: 3 }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void // what the flag adds to every new context

/** A step to measure: creates an input of the given size, which is not timed, and returns the function that is timed. */
export type Step = (size: number) => () => unknown

/** Linear: a run of four times the size takes at most twice the CPU time of four runs. A larger `least` finds smaller quadratic parts. */
export function mustBeLinear(step: Step, least = LEAST): void {
  const found = largeEnough(step, least)
  let { size, run } = found
  // Most steps are clearly linear beside the runs that have found the size.
  if (timeOf(step(size * TIMES)) <= FACTOR * TIMES * found.ms) return
  for (let retries = 0; ; retries++) {
    const { long, short, factor, isClear } = compared(
      run,
      step(size * TIMES),
      retries === RETRIES ? LAST_ROUNDS : ROUNDS,
    )
    if (factor <= FACTOR || long < least) return
    if (retries === RETRIES || long > LONG || isClear)
      throw new Error(
        `not linear: ${size} take ${(short / TIMES).toFixed(1)} ms, ${size * TIMES} take ${long.toFixed(1)} ms`,
      )
    size = Math.min(MOST, size * 2)
    run = step(size)
  }
}

/** The least times of a long run and of several short ones, in turns until they are alike, and the factor between them. */
interface Compared {
  readonly long: number
  readonly short: number
  /** Of the least times, because noise only adds time, or of the runs side by side: one lucky short run alone does not count. */
  readonly factor: number
  readonly isClear: boolean
}

function compared(run: () => unknown, runLarger: () => unknown, rounds: number): Compared {
  const repeat = () => {
    for (let time = 0; time < TIMES; time++) run()
  }
  let long = Infinity
  let short = Infinity
  const factors: number[] = []
  let isClear = false
  for (let round = 0; round < roundsOf(long, rounds) && !isClear; round++) {
    // Garbage of earlier runs makes a long run twice as slow, because it is collected in the middle of it.
    const time = round === 0 ? timeOf : timeOfClean
    const [larger, smaller] = [time(runLarger), time(repeat)]
    long = Math.min(long, larger)
    short = Math.min(short, smaller)
    factors.push(larger / smaller)
    if (long <= short * FACTOR) break
    isClear = long > CLEAR.ms && round + 1 >= CLEAR.rounds && Math.min(...factors) > CLEAR.factor
  }
  return { long, short, factor: Math.min(long / short, medianOf(factors)), isClear }
}

function roundsOf(long: number, rounds: number): number {
  if (long > LONG) return LONG_ROUNDS
  return long > CLEAR.ms ? Math.max(rounds, CLEAR.rounds) : rounds
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Infinity
}

/** The first size that takes long enough, with its least time. The runs before it also warm up the code. */
function largeEnough(step: Step, least: number): { size: number; run: () => unknown; ms: number } {
  for (let size = FIRST; ; size = Math.min(MOST, size * 2)) {
    const run = step(size)
    const first = timeOf(run)
    if (first < least && size < MOST) continue
    const ms = Math.min(first, timeOf(run))
    if (ms >= least || size === MOST) return { size, run, ms }
  }
}

/** The CPU time of the process, which other processes of this machine do not change. The CPU time of a thread has a resolution of 4 ms on some kernels. */
function timeOf(run: () => unknown): number {
  const before = cpu()
  run()
  return Math.max(0.001, cpu() - before)
}

/** The same after new objects were collected. A full collection takes several times as long and shows no more. */
function timeOfClean(run: () => unknown): number {
  collect({ type: 'minor' })
  return timeOf(run)
}

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
