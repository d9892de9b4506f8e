/** Four times as much may take at most so many times as long: a linear step takes about four times, a quadratic one sixteen. */
const FACTOR = 8
/** CPU milliseconds that a step takes at least before it is compared: below them noise decides. */
const LEAST = 2.5
/** The first size, and the last: a step that takes no time at the last one never takes any. */
const FIRST = 250
const MOST = 8000
/** How often a result above the factor is measured again, each time with twice as much. */
const RETRIES = 3
/** Milliseconds of a run that is not measured again. */
const LONG = 500

/** A step that is measured: it makes an input of this size, outside of the time, and gives back what is done with it. */
export type Step = (size: number) => () => unknown

/** Linear: four times the input takes no more than eight times the CPU time, both the least of up to three runs. The more it takes at least, the smaller a quadratic part is found. */
export function mustBeLinear(step: Step, least = LEAST): void {
  let { size, run, short } = largeEnough(step, least)
  for (let retries = 0; ; retries++) {
    const runLarger = step(size * 4)
    let long = timeOf(runLarger)
    short = Math.min(short, timeOf(run), timeOf(run))
    if (long > short * FACTOR && long < LONG) long = Math.min(long, timeOf(runLarger), timeOf(runLarger))
    if (long <= short * FACTOR || long < least) return
    if (retries === RETRIES || long > LONG)
      throw new Error(`not linear: ${size} take ${short.toFixed(1)} ms, ${size * 4} take ${long.toFixed(1)} ms`)
    size = Math.min(MOST, size * 2)
    run = step(size)
    short = Math.min(timeOf(run), timeOf(run))
  }
}

/** The first size that takes long enough, and the time it takes. The runs before also warm the code up. */
function largeEnough(step: Step, least: number): { size: number; run: () => unknown; short: number } {
  for (let size = FIRST; ; size = Math.min(MOST, size * 2)) {
    const run = step(size)
    const short = Math.min(timeOf(run), timeOf(run))
    if (short >= least || size === MOST) return { size, run, short }
  }
}

/** CPU time, which other processes do not change. That of a thread alone is counted in ticks of 4 ms on some kernels. */
function timeOf(run: () => unknown): number {
  const before = cpu()
  run()
  return Math.max(0.001, cpu() - before)
}

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
