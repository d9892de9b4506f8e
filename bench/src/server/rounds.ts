import { isStable } from '../stable.ts'
import { median, quickOf } from '../table.ts'
import { agrees, differenceOf, ratioOf, type Ratio, type Series } from './agreement.ts'

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

/** Runs windows for all subjects in turn, so that all have the same warm-up time. Returns the subjects that are not stable then. */
export async function warmUp<Subject>(
  subjects: readonly Subject[],
  windows: number,
  take: Take<Subject>,
): Promise<readonly Subject[]> {
  let histories = subjects.map((subject) => ({ subject, micros: [] as number[] }))
  for (let window = 0; window < windows; window++) {
    for (const history of histories) {
      const reading = await take(history.subject)
      if (reading === undefined) histories = histories.filter((each) => each !== history)
      else history.micros.push(reading.micros)
    }
  }
  return histories.filter(({ micros }) => !isStable(micros)).map(({ subject }) => subject)
}

export interface Found<Subject> {
  readonly subject: Subject
  /** The windows of all rounds. */
  readonly readings: readonly Reading[]
  /** The median of all rounds; the maximum for pauses and the longest delay; `quickOf` for CPU time. */
  readonly middle: Reading
  /** Its CPU time, compared with the mean of the yardsticks. */
  readonly ratio: Ratio
}

export interface RoundsOptions<Subject> {
  readonly isYardstick: (subject: Subject) => boolean
  /** Whether the time is over. The first round is always completed. */
  readonly isOver: () => boolean
}

/** Runs all subjects in turn, round by round, until the two yardsticks agree or the time is over. Each round starts with another one. */
export async function takeRounds<Subject>(
  subjects: readonly Subject[],
  { isYardstick, isOver }: RoundsOptions<Subject>,
  take: Take<Subject>,
): Promise<Found<Subject>[]> {
  let taken = subjects.map((subject) => ({ subject, readings: [] as Reading[] }))
  const yardsticks = (): Series[] => taken.filter(({ subject }) => isYardstick(subject)).map(seriesOf)
  for (let round = 0; round === 0 || (!isOver() && !haveAgreed(yardsticks())); round++) {
    const order = spread(taken, ({ subject }) => isYardstick(subject))
    const first = round % Math.max(1, order.length)
    for (const entry of [...order.slice(first), ...order.slice(0, first)]) {
      if (round > 0 && isOver()) break
      const reading = await take(entry.subject)
      if (reading === undefined) taken = taken.filter((each) => each !== entry)
      else entry.readings.push(reading)
    }
    if (taken.length === 0) break
  }
  const [first = [], second = []] = yardsticks()
  return taken.map((entry) => ({
    ...entry,
    middle: middleOf(entry.readings),
    ratio: ratioOf(seriesOf(entry), yardsticks(), differenceOf(first, second)),
  }))
}

/** CPU time by round. */
export function seriesOf({ readings }: { readonly readings: readonly Reading[] }): Series {
  return readings.map(({ micros }) => micros)
}

function haveAgreed([first, second]: readonly Series[]): boolean {
  return first !== undefined && second !== undefined && agrees(first, second)
}

/** Spreads the yardsticks evenly among the others, so that each is close to one if the machine gets slower or faster. */
function spread<Entry>(entries: readonly Entry[], isYardstick: (entry: Entry) => boolean): Entry[] {
  const yardsticks = entries.filter(isYardstick)
  const others = entries.filter((entry) => !isYardstick(entry))
  const share = Math.ceil(others.length / Math.max(1, yardsticks.length))
  if (yardsticks.length === 0) return others
  return yardsticks.flatMap((yardstick, index) => [yardstick, ...others.slice(index * share, (index + 1) * share)])
}

function middleOf(readings: readonly Reading[]): Reading {
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
