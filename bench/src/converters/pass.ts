import { protocols } from '@dragoman/core/protocols'
import { shortTurnsRequest } from '../corpus/requests.ts'
import { wireRequest } from '../corpus/wire.ts'
import { measure, ratioOf, type MeasureOptions } from '../measure.ts'
import { uncertaintyOf } from '../uncertainty.ts'
import { pairOf, loadConverters, type Converters } from './before.ts'
import { casesOf, requestCase, SIZES, streamCase, type Case, type CaseName, type Sizes } from './cases.ts'

export interface ConverterResult {
  readonly pair: string
  readonly name: CaseName
  readonly bytes: number
  readonly floorMicros: number
  readonly micros: number
  /** Ratio to the floor, and its uncertainty inside this process. */
  readonly ratio: number
  readonly uncertainty: number
  /** Ratio to the same conversion in the other checkout, and its uncertainty. */
  readonly before?: { readonly ratio: number; readonly uncertainty: number } | undefined
}

export interface GrowthResult {
  readonly pair: string
  readonly what: string
  /** How much longer twice the size takes: for the converter, and for the floor. */
  readonly growth: number
  readonly floorGrowth: number
}

/** What one process measures. */
export interface PassOptions {
  /** Makes the request that no other run has. */
  readonly seed: number
  readonly sizes?: Sizes
  /** Only pairs with this text in their name. */
  readonly only?: string | undefined
  readonly before?: Converters | undefined
}

/** Prints the results of one process as JSON. The checkout is that of other converters to compare with. */
export async function printPass(
  measuring: MeasureOptions,
  { checkout, ...options }: Omit<PassOptions, 'before'> & { readonly checkout: string | undefined },
): Promise<void> {
  const before = checkout === undefined ? undefined : await loadConverters(checkout)
  console.log(JSON.stringify(measureConverters(measuring, { ...options, before })))
}

/** Every conversion between two different protocols. */
export function measureConverters(
  measuring: MeasureOptions,
  { seed, sizes = SIZES, only, before }: PassOptions,
): ConverterResult[] {
  return pairs(only).flatMap(({ pair, client, upstream }) =>
    casesOf(client, upstream, { sizes, seed, before: pairOf(before, client, upstream) }).flatMap((each) =>
      measureCase(measuring, each).map((result) => ({ pair, ...result })),
    ),
  )
}

/** The floor, our converters and those before take turns. */
function measureCase(measuring: MeasureOptions, { size, floor, works }: Case): Omit<ConverterResult, 'pair'>[] {
  const befores = works.flatMap(({ before }) => before ?? [])
  const { micros, times } = measure([floor, ...works.map(({ work }) => work), ...befores], measuring)
  const compare = (own: number, other: number): { ratio: number; uncertainty: number } => {
    const [left = [], right = []] = [times[own], times[other]]
    const ratio = (rounds: readonly number[]): number => ratioOf(left, right, rounds)
    return { ratio: ratioOf(left, right), uncertainty: uncertaintyOf(measuring.rounds, ratio) }
  }
  return works.map(({ name }, index) => ({
    name,
    bytes: size,
    floorMicros: micros[0] ?? NaN,
    micros: micros[index + 1] ?? NaN,
    ...compare(index + 1, 0),
    ...(befores.length === 0 ? {} : { before: compare(index + 1, index + 1 + works.length) }),
  }))
}

/** What twice the size costs, which must be about twice the time. */
export function measureGrowth(measuring: MeasureOptions): GrowthResult[] {
  return pairs().flatMap(({ pair, client, upstream }) => {
    const turns = (count: number) =>
      requestCase('many short turns', client, upstream, wireRequest(client, shortTurnsRequest(count)))
    const tokens = (count: number) => streamCase(client, upstream, count)
    return [
      { what: '800 → 1600 short turns', once: turns(800), twice: turns(1600) },
      { what: '1000 → 2000 tokens', once: tokens(1000), twice: tokens(2000) },
    ].map(({ what, once, twice }) => {
      const works = [once, twice].flatMap(({ floor, works }) => [floor, ...works.slice(0, 1).map(({ work }) => work)])
      const [floorOnce = NaN, ourOnce = NaN, floorTwice = NaN, ourTwice = NaN] = measure(works, measuring).micros
      return { pair, what, growth: ourTwice / ourOnce, floorGrowth: floorTwice / floorOnce }
    })
  })
}

function pairs(only = '') {
  return protocols.flatMap((client) =>
    protocols
      .filter((upstream) => upstream !== client)
      .map((upstream) => ({ pair: `${client.name} → ${upstream.name}`, client, upstream }))
      .filter(({ pair }) => pair.includes(only)),
  )
}
