const DRAWS = 200
/** The share of draws outside the interval, at each end. */
const OUTSIDE = 0.05

/**
 * How far a figure would move if the same number of rounds were taken again: half the interval of 90 % of its values over rounds that are drawn
 * from those that were taken (a bootstrap), relative to the figure. The rounds of all servers are drawn together, so what slows all of them down
 * does not count. NaN if there are too few rounds to know.
 */
export function uncertaintyOf(rounds: number, figure: (chosen: readonly number[]) => number): number {
  if (rounds < 3) return NaN
  const random = createRandom()
  const all = Array.from({ length: rounds }, (_none, index) => index)
  const draw = (): number[] => all.map(() => Math.floor(random() * rounds))
  const values = Array.from({ length: DRAWS }, () => figure(draw())).sort((left, right) => left - right)
  const at = (share: number): number => values[Math.round(share * (DRAWS - 1))] ?? NaN
  return (at(1 - OUTSIDE) - at(OUTSIDE)) / 2 / figure(all)
}

/** The uncertainty from several independent causes. */
export function combine(...uncertainties: readonly number[]): number {
  return Math.hypot(...uncertainties)
}

/** `±4 %`, or `±?` if nothing is known. */
export function describeUncertainty(uncertainty: number): string {
  // Less than an error of floating point is not another percent.
  return Number.isFinite(uncertainty) ? `±${Math.ceil(uncertainty * 100 - 1e-9)} %` : '±?'
}

/** Whether a time is another one than before, given as the ratio of both. */
export function describeChange(ratio: number, uncertainty: number): string {
  if (ratio * (1 - uncertainty) > 1) return 'SLOWER'
  return ratio * (1 + uncertainty) < 1 ? 'faster' : 'no measurable difference'
}

/** The same numbers in every run, so that one set of rounds has one uncertainty (mulberry32). */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
