import { judge, type Bar } from '../bars.ts'
import { fixed, formatTable } from '../table.ts'
import { describeAA, differenceOf, voidOf } from './rules.ts'
import { beforeOf, type Kind } from './subjects.ts'
import type { Measured } from './summary.ts'

type BarsOf = { readonly [kind in Kind]?: Bar }

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
      fixed(ratio, 2),
      fixed(busy * 100, 0),
      fixed(p50Ms, 1),
      fixed(p99Ms, 1),
      fixed(maxMs, 1),
      fixed(gc * 100, 1),
      fixed(stallMs, 0),
      ...barCells(bar),
      voidOf(workload, middle) ?? judge(ratio, bar),
    ]
  })
  const rate = stream ? 'tokens/s' : 'requests/s'
  const figures = [rate, 'CPU µs', '× yardstick', 'busy %', 'p50 ms', 'p99 ms', 'max ms', 'GC %', 'stall ms']
  console.log(formatTable(title, ['', ...figures, 'stage', 'must', 'aim', ''], rows))
  const [first, second] = found.filter(({ subject }) => subject.kind === 'yardstick')
  if (first === undefined || second === undefined) console.log('A/A FAILED: there are not two yardsticks')
  else console.log(describeAA(differenceOf(first.middle, second.middle)))
  for (const line of compareBefore(found)) console.log(line)
}

/** What each server takes of the time of the same server in the other checkout. */
function compareBefore(found: Measured['found']): string[] {
  return found.flatMap(({ subject, middle }) => {
    const before = found.find((other) => other.subject.name === beforeOf(subject.name))
    return before === undefined ? [] : `${subject.name}: ${fixed(middle.micros / before.middle.micros, 2)} of before`
  })
}

function barCells(bar: Bar | undefined): string[] {
  return [fixed(bar?.stage, 2), fixed(bar?.must, 2), fixed(bar?.aim, 2)]
}
