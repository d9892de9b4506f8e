import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

/** How many generated values a law is tried on; DRAGOMAN_RUNS raises it. */
export const RUNS = Number(process.env['DRAGOMAN_RUNS'] ?? 200)
/** The same values every time, unless DRAGOMAN_SEED asks for others. */
export const SEED = Number(process.env['DRAGOMAN_SEED'] ?? 20261115)

/** Milliseconds for one law, less than for its test: what breaks it is shown as small as it got by then. */
const TIME = 100_000

/** A law over generated values; what breaks it is made as small as possible before it is shown. */
export function holds<T>(values: Arbitrary<T>, law: (value: T) => void, runs: number = RUNS): void {
  fc.assert(
    fc.property(values, (value) => {
      law(value)
    }),
    { numRuns: Math.ceil(runs), seed: SEED, interruptAfterTimeLimit: TIME, markInterruptAsFailure: true },
  )
}

/** A few values of an arbitrary, always the same. */
export function samples<T>(values: Arbitrary<T>, many: number): readonly T[] {
  return fc.sample(values, { numRuns: many, seed: SEED })
}
