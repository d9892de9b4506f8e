import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { SEED } from './seed.ts'

/**
 * The number of generated values per law. DRAGOMAN_RUNS changes it. Faults in rare members need 50 to 70 in the median; 50 would miss almost
 * three times as many as 100 (the measurement is in CONTRIBUTING.md).
 */
export const RUNS = Number(process.env['DRAGOMAN_RUNS'] ?? 100)

/** Milliseconds for one law, less than for its test, so that the smallest failure found by then is shown. */
const TIME = 500_000

/** Checks a law with generated values. A value that breaks it is made as small as possible before it is shown. */
export function holds<T>(values: Arbitrary<T>, law: (value: T) => void, runs: number = RUNS): void {
  fc.assert(
    fc.property(values, (value) => {
      law(value)
    }),
    { numRuns: Math.ceil(runs), seed: SEED, interruptAfterTimeLimit: TIME, markInterruptAsFailure: true },
  )
}

/** The same for a law about something that takes time. */
export async function holdsAsync<T>(
  values: Arbitrary<T>,
  law: (value: T) => Promise<void>,
  runs: number = RUNS,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      await law(value)
    }),
    { numRuns: Math.ceil(runs), seed: SEED, interruptAfterTimeLimit: TIME, markInterruptAsFailure: true },
  )
}

/** A few values of an arbitrary, the same ones in every run. */
export function samples<T>(values: Arbitrary<T>, many: number): readonly T[] {
  return fc.sample(values, { numRuns: many, seed: SEED })
}
