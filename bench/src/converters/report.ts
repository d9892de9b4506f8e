import { CONVERTER_BARS, judgeWithin } from '../bars.ts'
import { fixed, formatTable } from '../table.ts'
import { describeChange, describeUncertainty } from '../uncertainty.ts'
import type { ConverterResult } from './pass.ts'

/** A row for every conversion, with the same one of another checkout if there is one. */
export function formatResults(results: readonly ConverterResult[]): string {
  const hasBefore = results.some(({ before }) => before !== undefined)
  const rows = results.map(({ pair, name, bytes, floorMicros, micros, ratio, uncertainty, before }) => {
    const bar = CONVERTER_BARS[name]
    const figures = [fixed(bytes / 1024, 1), fixed(floorMicros, 1), fixed(micros, 1), fixed(ratio, 2)]
    const limits = [fixed(bar?.must, 2), fixed(bar?.aim, 2), judgeWithin(ratio, uncertainty, bar)]
    return [pair, name, ...figures, describeUncertainty(uncertainty), ...limits, ...(hasBefore ? cellsOf(before) : [])]
  })
  const head = ['pair', 'what', 'KB in', 'floor µs', 'ours µs', '× floor', '±', 'must', 'aim', '']
  const title = 'Converters, × the JSON floor of the same round'
  return formatTable(title, [...head, ...(hasBefore ? ['× before', '±', ''] : [])], rows)
}

function cellsOf(before: ConverterResult['before']): string[] {
  if (before === undefined) return ['–', '', '']
  const { ratio, uncertainty } = before
  return [fixed(ratio, 2), describeUncertainty(uncertainty), describeChange(ratio, uncertainty)]
}
