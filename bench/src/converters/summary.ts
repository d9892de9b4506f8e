import { CONVERTER_BARS, type Bar } from '../bars.ts'
import { fixed, markdownTable, median } from '../table.ts'
import { describeUncertainty } from '../uncertainty.ts'
import type { CaseName } from './cases.ts'
import type { ConverterResult } from './pass.ts'

/** The part of a result that a summary shows. */
export interface Row {
  readonly pair: string
  readonly name: CaseName
  readonly ratio: number
}

/** The table for docs/performance.md: a column for each pair. */
export function summarize(rows: readonly Row[]): string {
  const pairs = [...new Set(rows.map(({ pair }) => pair))]
  const head = ['converter, × floor', 'must', 'aim', ...pairs]
  const lines = Object.entries<Bar | undefined>(CONVERTER_BARS).map(([name, bar]) => {
    const ratios = pairs.map((pair) => rows.find((row) => row.pair === pair && row.name === name)?.ratio)
    return [name, bar?.must ?? '–', bar?.aim ?? '–', ...ratios.map((ratio) => fixed(ratio, 2))]
  })
  return markdownTable(head, lines)
}

/** How certain the rows are, and what all of them together take of another checkout's time. Of many rows some are outside their ± by chance. */
export function describeCertainty(results: readonly Pick<ConverterResult, 'uncertainty' | 'before'>[]): string {
  const all = results.map(({ uncertainty }) => uncertainty)
  const befores = results.flatMap(({ before }) => before?.ratio ?? [])
  const certainty = `Half of the rows are within ${describeUncertainty(median(all))}, all within ${describeUncertainty(Math.max(...all))}.`
  return befores.length === 0
    ? certainty
    : `${certainty} All conversions together: ${fixed(median(befores), 2)} of before.`
}
