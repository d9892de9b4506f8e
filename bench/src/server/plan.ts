import type { WORKLOADS } from './window.ts'

export type LoadName = keyof typeof WORKLOADS

/** The time of one load, in milliseconds per server. */
interface Cost {
  /** How many windows of warm-up a server should have. After the first load, only code for the new one must warm up. */
  readonly warmUps: number
  /** With fewer, the figures of the first load are those of code that is not compiled yet. */
  readonly leastWarmUps: number
  readonly leadMs: number
  readonly windowMs: number
}

/** Short windows: a machine whose speed changes within seconds is constant within a round of them. */
export const COST_OF: { readonly [name in LoadName]: Cost } = {
  small: { warmUps: 6, leastWarmUps: 4, leadMs: 150, windowMs: 400 },
  large: { warmUps: 2, leastWarmUps: 1, leadMs: 150, windowMs: 400 },
  tokens: { warmUps: 1, leastWarmUps: 1, leadMs: 200, windowMs: 800 },
}

export const WARM_UP_MS = 2000
/** What a window takes beside its own time: starting the load generator, and waiting until its connections are gone. */
const AROUND_MS = 200
/** As many rounds as two identical servers need on a quiet machine. */
const ROUNDS = 8
/** The warm-up of the only load of a run, if there is time. Servers still became faster after 20 s on a slow machine. */
const ONLY_WARM_UPS = 15
/** The share of the time of a load that its warm-up may take. */
const MOST_WARM_UP = 0.7

export interface Plan {
  readonly warmUps: number
  /** From the beginning of the warm-up to the last round. */
  readonly limitMs: number
}

/**
 * The warm-up and the time of the first of these loads, if the time is divided between all of them. `isOnly` says that no load comes before
 * or after it.
 */
export function planLoad(loads: readonly LoadName[], servers: number, remainingMs: number, isOnly = false): Plan {
  const [first, ...others] = loads.map(idealMs)
  if (first === undefined) throw new Error('No load to plan.')
  const limitMs = (remainingMs * first) / others.reduce((sum, each) => sum + each, first)
  const fitting = Math.floor((limitMs * MOST_WARM_UP) / (servers * (WARM_UP_MS + AROUND_MS)))
  const most = isOnly ? ONLY_WARM_UPS : COST_OF[loads[0] ?? 'small'].warmUps
  return { limitMs, warmUps: Math.max(1, Math.min(most, fitting)) }
}

/** The loads that can be measured well in this time, in order. The last ones are left out first, and there is always one. */
export function fittingLoads(loads: readonly LoadName[], servers: number, remainingMs: number): readonly LoadName[] {
  const fits = (name: LoadName, index: number): boolean =>
    planLoad(loads.slice(index), servers, remainingAt(loads, index, remainingMs)).warmUps >= COST_OF[name].leastWarmUps
  return loads.length <= 1 || loads.every(fits) ? loads : fittingLoads(loads.slice(0, -1), servers, remainingMs)
}

/** The time that is left for a load and those after it. */
function remainingAt(loads: readonly LoadName[], index: number, remainingMs: number): number {
  const sum = (names: readonly LoadName[]): number => names.map(idealMs).reduce((total, each) => total + each, 0)
  return (remainingMs * sum(loads.slice(index))) / sum(loads)
}

/** What a server needs for a load, if nothing has to be saved. */
function idealMs(name: LoadName): number {
  const { warmUps, leadMs, windowMs } = COST_OF[name]
  return warmUps * (WARM_UP_MS + AROUND_MS) + ROUNDS * (leadMs + windowMs + AROUND_MS)
}
