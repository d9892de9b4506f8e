import { judgeWithin, type Bar } from '../bars.ts'
import { fixed, formatTable } from '../table.ts'
import { describeChange, describeUncertainty } from '../uncertainty.ts'
import { describeAA, differenceOf, ratioOf, type Series } from './agreement.ts'
import { seriesOf } from './rounds.ts'
import { voidOf } from './rules.ts'
import { beforeOf, type Kind } from './subjects.ts'
import type { Measured } from './summary.ts'

export type BarsOf = { readonly [kind in Kind]?: Bar }

/** One row for every subject, also void ones, and the difference between two identical servers. */
export function printTable({ workload, found }: Measured, bars: BarsOf): void {
  const { title, stream } = workload
  const rows = found.map(({ subject, middle, ratio }) => {
    const { perSecond, micros, busy, p50Ms, p99Ms, maxMs, gc, stallMs } = middle
    const bar = bars[subject.kind]
    return [
      subject.name,
      fixed(perSecond, 0),
      fixed(micros, stream ? 1 : 0),
      fixed(ratio.value, 2),
      describeUncertainty(ratio.uncertainty),
      fixed(busy * 100, 0),
      fixed(p50Ms, 1),
      fixed(p99Ms, 1),
      fixed(maxMs, 1),
      fixed(gc * 100, 1),
      fixed(stallMs, 0),
      ...barCells(bar),
      voidOf(workload, middle) ?? judgeWithin(ratio.value, ratio.uncertainty, bar),
    ]
  })
  const rate = stream ? 'tokens/s' : 'requests/s'
  const figures = [rate, 'CPU µs', '× yardstick', '±', 'busy %', 'p50 ms', 'p99 ms', 'max ms', 'GC %', 'stall ms']
  console.log(formatTable(title, ['', ...figures, 'must', 'aim', ''], rows))
  console.log(describeYardsticks(found))
  for (const line of compareBefore(found)) console.log(line)
}

/** Whether the two yardsticks agree, and after how many rounds. */
export function describeYardsticks(found: Measured['found']): string {
  const [first, second] = yardsticksOf(found)
  if (first === undefined || second === undefined)
    return 'A/A: there are not two yardsticks, so how certain figures are is not known'
  return `${describeAA(differenceOf(first, second))} (${Math.min(first.length, second.length)} rounds)`
}

/** What each server takes of the time of the same server in the other checkout. */
export function compareBefore(found: Measured['found']): string[] {
  const [first = [], second = []] = yardsticksOf(found)
  return found.flatMap(({ subject, ...after }) => {
    const before = found.find((other) => other.subject.name === beforeOf(subject.name))
    if (before === undefined) return []
    const { value, uncertainty } = ratioOf(seriesOf(after), [seriesOf(before)], differenceOf(first, second))
    const change = `${describeUncertainty(uncertainty)}: ${describeChange(value, uncertainty)}`
    return `${subject.name}: ${fixed(value, 2)} of before, ${change}${describeCollecting(after.middle.gc, before.middle.gc)}`
  })
}

/** A larger difference between two shares of time for collecting memory is named: more rounds do not show that it is luck. */
const LUCKY_GC = 0.08

/** Some processes spend a fifth of their time on collecting memory, as long as they run, and others of the same code do not. */
function describeCollecting(after: number, before: number): string {
  if (Math.abs(after - before) <= LUCKY_GC) return ''
  const shares = [after, before].map((share) => `${Math.round(share * 100)} %`).join(' and ')
  return `, but collecting memory took ${shares} of the time, which can be the luck of one process: run it again`
}

function yardsticksOf(found: Measured['found']): Series[] {
  return found.filter(({ subject }) => subject.kind === 'yardstick').map(seriesOf)
}

function barCells(bar: Bar | undefined): string[] {
  return [fixed(bar?.must, 2), fixed(bar?.aim, 2)]
}
