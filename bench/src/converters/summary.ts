import { CONVERTER_BARS, type Bar } from '../bars.ts'
import { fixed } from '../table.ts'
import type { CaseName } from './cases.ts'

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
  return [head, ['---', ...head.slice(1).map(() => '--:')], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
