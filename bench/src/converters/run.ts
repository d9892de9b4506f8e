import { checkoutOf } from '../checkout.ts'
import type { MeasureOptions } from '../measure.ts'
import { runPass } from '../passes.ts'
import { requireName, today, writeRecord } from '../record.ts'
import { describeMachine, fixed, formatTable } from '../table.ts'
import { arePassesCertain, joinPasses } from './join.ts'
import { measureGrowth, type ConverterResult } from './pass.ts'
import { formatResults } from './report.ts'
import { describeCertainty, summarize } from './summary.ts'

interface Pace extends MeasureOptions {
  readonly mostPasses: number
  /** No process is started that would end later. */
  readonly limitMs: number
}

export const PACE_OF = {
  full: {
    mostPasses: 8,
    limitMs: 8 * 60_000,
    rounds: 11,
    batchMs: 4,
    warmUp: { windowMs: 50, least: 4, most: 10 },
  },
  /** With twice as many conversions in the time. */
  short: {
    mostPasses: 8,
    limitMs: 3.6 * 60_000,
    rounds: 11,
    batchMs: 3,
    warmUp: { windowMs: 30, least: 4, most: 6 },
  },
  quick: { mostPasses: 1, limitMs: 0, rounds: 11, batchMs: 2, warmUp: { windowMs: 30, least: 4, most: 4 } },
} as const satisfies { readonly [pace: string]: Pace }

export type PaceName = keyof typeof PACE_OF

export interface ConvertersOptions {
  readonly pace: 'full' | 'quick'
  /** Only pairs with this text in their name. */
  readonly only?: string | undefined
  /** Another commit, or a checkout of it. Its converters are measured in the same processes. */
  readonly before?: string | undefined
  /** Writes the figures into the repository, under this name. */
  readonly record?: string | undefined
}

/** Runs processes one after another until they agree, because the results of the compiler vary and last as long as the process. */
export async function printConverters({ pace, only, before, record }: ConvertersOptions): Promise<void> {
  const began = performance.now()
  if (record !== undefined) requireName(record)
  const isShort = only !== undefined || before !== undefined
  const name: PaceName = pace === 'full' && isShort ? 'short' : pace
  const checkout = before === undefined ? undefined : checkoutOf(before)
  const seed = Math.floor(Math.random() * 1_000_000)
  const machine = await describeMachine()
  console.log(machine)
  const passes = await takePasses(name, began, [
    '--seed',
    String(seed),
    ...(only === undefined ? [] : ['--only', only]),
    ...(checkout === undefined ? [] : ['--before', checkout]),
  ])
  const results = joinPasses(passes)
  if (results.length === 0) throw new Error(`No pair has ${only} in its name.`)
  console.log(formatResults(results))
  const facts = `The median of ${passes.length} processes; the new request by seed ${seed}. ${describeCertainty(results)}`
  const summary = `${summarize(results)}\n\n${facts}`
  console.log(`\n${summary}`)
  if (record !== undefined) {
    console.log(
      `\nrecorded in ${writeRecord({ name: record, part: 'Converters', date: today(), machine, text: summary })}`,
    )
  }
  if (!isShort) printGrowth(name)
  console.log(`\ntook ${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
}

async function takePasses(pace: PaceName, began: number, args: readonly string[]): Promise<ConverterResult[][]> {
  const { mostPasses, limitMs } = PACE_OF[pace]
  const passes: ConverterResult[][] = []
  let longestMs = 0
  const hasTime = (): boolean => performance.now() - began + longestMs < limitMs
  while (passes.length === 0 || (passes.length < mostPasses && hasTime() && !arePassesCertain(passes))) {
    const start = performance.now()
    passes.push((await runPass(['converters-pass', pace, ...args])) as ConverterResult[]) // printed by the same code
    longestMs = Math.max(longestMs, performance.now() - start)
  }
  return passes
}

function printGrowth(pace: PaceName): void {
  const rows = measureGrowth(PACE_OF[pace]).map(({ pair, what, growth, floorGrowth }) => [
    pair,
    what,
    fixed(growth, 2),
    fixed(floorGrowth, 2),
    growth <= Math.max(2.4, floorGrowth * 1.2) ? 'linear' : 'GROWS',
  ])
  console.log(formatTable('Twice the size takes × the time', ['pair', 'what', 'ours', 'floor', ''], rows))
}
