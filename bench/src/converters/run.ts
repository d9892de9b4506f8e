import { protocols } from '@dragoman/core/protocols'
import { CONVERTER_BARS, judge } from '../bars.ts'
import { shortTurnsRequest } from '../corpus/requests.ts'
import { measure, type MeasureOptions } from '../measure.ts'
import { runPass } from '../passes.ts'
import { describeMachine, fixed, formatTable, median } from '../table.ts'
import { summarize } from './summary.ts'
import { casesOf, requestCase, SIZES, streamCase, type CaseName, type Sizes } from './cases.ts'

export interface ConverterResult {
  readonly pair: string
  readonly name: CaseName
  readonly bytes: number
  readonly floorMicros: number
  readonly micros: number
  /** Ratio to the floor. */
  readonly ratio: number
}

export interface GrowthResult {
  readonly pair: string
  readonly what: string
  /** How much longer twice the size takes: for the converter, and for the floor. */
  readonly growth: number
  readonly floorGrowth: number
}

const PACE_OF = {
  full: { passes: 5, rounds: 11, batchMs: 4, warmUp: { windowMs: 50, least: 4, most: 10 } },
  quick: { passes: 1, rounds: 11, batchMs: 2, warmUp: { windowMs: 30, least: 4, most: 4 } },
} as const satisfies { readonly [pace: string]: MeasureOptions & { readonly passes: number } }

export type Pace = keyof typeof PACE_OF

/** Runs several processes one after another, because the results of the compiler vary and last as long as the process. */
export async function printConverters(pace: Pace): Promise<void> {
  const { passes } = PACE_OF[pace]
  console.log(`${await describeMachine()}; median of ${passes} processes, and in each of many short rounds`)
  const taken: ConverterResult[][] = []
  for (let pass = 0; pass < passes; pass++) {
    const results = await runPass(['converters-pass', ...(pace === 'quick' ? ['--quick'] : [])])
    taken.push(results as ConverterResult[]) // printed by the same code
  }
  const results = middleOf(taken)
  const rows = results.map((result) => {
    const bar = CONVERTER_BARS[result.name]
    const { pair, name, bytes, floorMicros, micros, ratio } = result
    const figures = [fixed(bytes / 1024, 1), fixed(floorMicros, 1), fixed(micros, 1), fixed(ratio, 2)]
    return [pair, name, ...figures, fixed(bar?.must, 2), fixed(bar?.aim, 2), judge(ratio, bar)]
  })
  const head = ['pair', 'what', 'KB in', 'floor µs', 'ours µs', '× floor', 'must', 'aim', '']
  console.log(formatTable('Converters, × the JSON floor of the same round', head, rows))
  console.log(`\n${summarize(results)}`)
  const growth = measureGrowth(PACE_OF[pace]).map(({ pair, what, growth, floorGrowth }) => [
    pair,
    what,
    fixed(growth, 2),
    fixed(floorGrowth, 2),
    growth <= Math.max(2.4, floorGrowth * 1.2) ? 'linear' : 'GROWS',
  ])
  console.log(formatTable('Twice the size takes × the time', ['pair', 'what', 'ours', 'floor', ''], growth))
}

/** Prints the results of one process as JSON. */
export function printPass(pace: Pace): void {
  console.log(JSON.stringify(measureConverters(PACE_OF[pace], SIZES)))
}

/** The median of all passes, row by row. */
export function middleOf(passes: readonly (readonly ConverterResult[])[]): ConverterResult[] {
  const [first = []] = passes
  return first.map((result, row) => {
    const middle = (member: 'floorMicros' | 'micros' | 'ratio'): number =>
      median(passes.map((pass) => pass[row]?.[member] ?? NaN))
    return { ...result, floorMicros: middle('floorMicros'), micros: middle('micros'), ratio: middle('ratio') }
  })
}

/** Every conversion between two different protocols. */
export function measureConverters(options: MeasureOptions, sizes: Sizes): ConverterResult[] {
  return pairs().flatMap(({ pair, client, upstream }) =>
    casesOf(client, upstream, sizes).flatMap(({ size, floor, works }) => {
      const { micros, ratios } = measure([floor, ...works.map(({ work }) => work)], options)
      return works.map(({ name }, index) => ({
        pair,
        name,
        bytes: size,
        floorMicros: micros[0] ?? NaN,
        micros: micros[index + 1] ?? NaN,
        ratio: ratios[index + 1] ?? NaN,
      }))
    }),
  )
}

function measureGrowth(options: MeasureOptions): GrowthResult[] {
  return pairs().flatMap(({ pair, client, upstream }) => {
    const turns = (count: number) => requestCase('many short turns', client, upstream, shortTurnsRequest(count))
    const tokens = (count: number) => streamCase(client, upstream, count)
    return [
      { what: '800 → 1600 short turns', once: turns(800), twice: turns(1600) },
      { what: '1000 → 2000 tokens', once: tokens(1000), twice: tokens(2000) },
    ].map(({ what, once, twice }) => {
      const works = [once, twice].flatMap(({ floor, works }) => [floor, ...works.slice(0, 1).map(({ work }) => work)])
      const [floorOnce = NaN, ourOnce = NaN, floorTwice = NaN, ourTwice = NaN] = measure(works, options).micros
      return { pair, what, growth: ourTwice / ourOnce, floorGrowth: floorTwice / floorOnce }
    })
  })
}

function pairs() {
  return protocols.flatMap((client) =>
    protocols
      .filter((upstream) => upstream !== client)
      .map((upstream) => ({ pair: `${client.name} → ${upstream.name}`, client, upstream })),
  )
}
