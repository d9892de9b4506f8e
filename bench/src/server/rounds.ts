import { isStable } from '../stable.ts'
import { median, quickOf } from '../table.ts'

/** One window of one server. */
export interface Reading {
  /** CPU time per request or token. */
  readonly micros: number
  readonly perSecond: number
  /** The used share of its core, 0 to 1. */
  readonly busy: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** The share of the window spent on garbage collection, 0 to 1. */
  readonly gc: number
  readonly stallMs: number
}

/** Undefined if it failed; it is then left out. */
export type Take<Subject> = (subject: Subject) => Promise<Reading | undefined>

export interface WarmUp<Subject> {
  /** The number of windows of every subject. */
  readonly windows: number
  /** The subjects that were not stable at the limit. */
  readonly unstable: readonly Subject[]
}

/** Runs one window after another for all subjects in turn, until all are stable, so that all have the same warm-up time. */
export async function warmUp<Subject>(
  subjects: readonly Subject[],
  limits: { readonly least: number; readonly most: number },
  take: Take<Subject>,
): Promise<WarmUp<Subject>> {
  let histories = subjects.map((subject) => ({ subject, micros: [] as number[] }))
  const unstable = (): Subject[] => histories.filter(({ micros }) => !isStable(micros)).map(({ subject }) => subject)
  let windows = 0
  while (windows < limits.most && (windows < limits.least || unstable().length > 0)) {
    for (const history of histories) {
      const reading = await take(history.subject)
      if (reading === undefined) histories = histories.filter((each) => each !== history)
      else history.micros.push(reading.micros)
    }
    windows++
  }
  return { windows, unstable: unstable() }
}

export interface Found<Subject> {
  readonly subject: Subject
  /** The windows of all rounds. */
  readonly readings: readonly Reading[]
  /** The median of all rounds; the maximum for pauses and the longest delay; `quickOf` for CPU time. */
  readonly middle: Reading
  /** The ratio of its CPU time to the mean of the yardsticks. */
  readonly ratio: number
}

/** Runs all subjects in turn, round by round. Each round starts with another one. */
export async function takeRounds<Subject>(
  subjects: readonly Subject[],
  rounds: number,
  isYardstick: (subject: Subject) => boolean,
  take: Take<Subject>,
): Promise<Found<Subject>[]> {
  let taken = subjects.map((subject) => ({ subject, readings: [] as Reading[] }))
  for (let round = 0; round < rounds; round++) {
    const order = spread(taken, ({ subject }) => isYardstick(subject))
    const first = round % Math.max(1, order.length)
    for (const entry of [...order.slice(first), ...order.slice(0, first)]) {
      const reading = await take(entry.subject)
      if (reading === undefined) taken = taken.filter((each) => each !== entry)
      else entry.readings.push(reading)
    }
  }
  const found = taken.map(({ subject, readings }) => ({ subject, readings, middle: middleOf(readings) }))
  return ratiosTo(isYardstick, found)
}

/** Adds the ratio of each server to the mean of the yardsticks. */
export function ratiosTo<Subject>(
  isYardstick: (subject: Subject) => boolean,
  found: readonly Omit<Found<Subject>, 'ratio'>[],
): Found<Subject>[] {
  const yardsticks = found.filter(({ subject }) => isYardstick(subject))
  const yard = yardsticks.reduce((sum, { middle }) => sum + middle.micros, 0) / yardsticks.length
  return found.map((each) => ({ ...each, ratio: each.middle.micros / yard }))
}

/** Spreads the yardsticks evenly among the others, so that each is close to one if the machine gets slower or faster. */
function spread<Entry>(entries: readonly Entry[], isYardstick: (entry: Entry) => boolean): Entry[] {
  const yardsticks = entries.filter(isYardstick)
  const others = entries.filter((entry) => !isYardstick(entry))
  const share = Math.ceil(others.length / Math.max(1, yardsticks.length))
  if (yardsticks.length === 0) return others
  return yardsticks.flatMap((yardstick, index) => [yardstick, ...others.slice(index * share, (index + 1) * share)])
}

export function middleOf(readings: readonly Reading[]): Reading {
  const middle = (member: keyof Reading): number => median(readings.map((reading) => reading[member]))
  const longest = (member: keyof Reading): number => Math.max(...readings.map((reading) => reading[member]))
  return {
    micros: quickOf(readings.map(({ micros }) => micros)),
    perSecond: middle('perSecond'),
    busy: middle('busy'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    maxMs: longest('maxMs'),
    gc: middle('gc'),
    stallMs: longest('stallMs'),
  }
}
