import { median } from '../table.ts'
import { combine, uncertaintyOf } from '../uncertainty.ts'
import type { ConverterResult } from './pass.ts'

/** The results of the compiler vary between processes by about this much, and last as long as the process. */
const LUCK = 0.05
const LEAST_PASSES = 3
/** When the middle of all uncertainties is this small, more processes change nothing that a reader would notice. */
const CERTAIN = 0.02

/** The median of all processes, row by row. A row is as certain as the processes agree, or as its rounds if there are too few. */
export function joinPasses(passes: readonly (readonly ConverterResult[])[]): ConverterResult[] {
  const [first = []] = passes
  return first.map((result, row) => {
    const own = passes.flatMap((pass) => pass[row] ?? [])
    const befores = own.flatMap(({ before }) => before ?? [])
    return {
      ...result,
      floorMicros: median(own.map(({ floorMicros }) => floorMicros)),
      micros: median(own.map(({ micros }) => micros)),
      ...joinRatios(own),
      ...(befores.length === 0 ? {} : { before: joinRatios(befores) }),
    }
  })
}

interface Ratio {
  readonly ratio: number
  readonly uncertainty: number
}

function joinRatios(passes: readonly Ratio[]): Ratio {
  const middle = (chosen: readonly number[]): number => median(chosen.map((pass) => passes[pass]?.ratio ?? NaN))
  const ratio = middle([...passes.keys()])
  if (passes.length >= LEAST_PASSES) return { ratio, uncertainty: uncertaintyOf(passes.length, middle) }
  const ofRounds = median(passes.map(({ uncertainty }) => uncertainty))
  return { ratio, uncertainty: combine(ofRounds, LUCK / Math.sqrt(passes.length)) }
}

/** Whether the processes agree, so that no more are needed. */
export function arePassesCertain(passes: readonly (readonly ConverterResult[])[]): boolean {
  if (passes.length < LEAST_PASSES) return false
  return median(joinPasses(passes).map(({ before, uncertainty }) => before?.uncertainty ?? uncertainty)) <= CERTAIN
}
