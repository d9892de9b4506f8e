import { judge, judgeMore, SERVER_BARS, type Bar } from '../bars.ts'
import { fixed, formatTable } from '../table.ts'
import type { Found } from './rounds.ts'
import { describeAA, differenceOf, voidCalls, voidTokens } from './rules.ts'
import type { Starts } from './starts.ts'
import type { Kind, Subject } from './subjects.ts'
import { STREAM_TOKENS_PER_SECOND, type Workload } from './window.ts'

export type BarsOf = { readonly [kind in Kind]?: Bar }

/** One row for every subject, void ones too, and what two identical servers differ by. */
export function printTable(workload: Workload, found: readonly Found<Subject>[], bars: BarsOf): void {
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
      voidOf(workload, perSecond, busy) ?? judge(ratio, bar),
    ]
  })
  const rate = stream ? 'tokens/s' : 'requests/s'
  const figures = [rate, 'CPU µs', '× yardstick', 'busy %', 'p50 ms', 'p99 ms', 'max ms', 'GC %', 'stall ms']
  console.log(formatTable(title, ['', ...figures, 'stage', 'must', 'aim', ''], rows))
  const [first, second] = found.filter(({ subject }) => subject.kind === 'yardstick')
  if (first === undefined || second === undefined) console.log('A/A FAILED: there are not two yardsticks')
  else console.log(describeAA(differenceOf(microsOf(first), microsOf(second))))
}

function voidOf({ stream, connections }: Workload, perSecond: number, busy: number): string | undefined {
  return stream ? voidTokens(perSecond, connections * STREAM_TOKENS_PER_SECOND) : voidCalls(busy)
}

function microsOf({ readings }: Found<Subject>): number[] {
  return readings.map(({ micros }) => micros)
}

function barCells(bar: Bar | undefined): string[] {
  return [fixed(bar?.stage, 2), fixed(bar?.must, 2), fixed(bar?.aim, 2)]
}

const RIVALRY = [
  { what: 'chat → chat', bar: SERVER_BARS.portkeyRelay },
  { what: 'chat → messages', bar: SERVER_BARS.portkeyTranslate },
]

/** By CPU time: a row that is void has no rate. */
export function printRates(found: readonly Found<Subject>[]): void {
  const microsOf = (name: string): number => found.find(({ subject }) => subject.name === name)?.middle.micros ?? NaN
  const rows = RIVALRY.flatMap(({ what, bar }) => {
    const ratio = microsOf(`Portkey ${what}`) / microsOf(`dragoman ${what}`)
    if (!Number.isFinite(ratio)) return []
    return [[what, fixed(ratio, 2), fixed(bar.must, 2), fixed(bar.aim, 2), judgeMore(ratio, bar)]]
  })
  if (rows.length > 0)
    console.log(formatTable('Requests per CPU second × Portkey', ['', 'ratio', 'must', 'aim', ''], rows))
}

export function printStarts({ startMs, idleMegabytes }: Starts): void {
  const row = (what: string, value: number, bar: Bar) => [
    what,
    fixed(value, 0),
    `${bar.must}`,
    `${bar.aim}`,
    judge(value, bar),
  ]
  const rows = [
    row('cold start, ms to the first 200', startMs, SERVER_BARS.coldStartMs),
    row('idle memory, MB resident', idleMegabytes, SERVER_BARS.idleMegabytes),
  ]
  console.log(formatTable('apps/server', ['', '', 'must', 'aim', ''], rows))
}
