import { describe, it } from 'vitest'
import { holdsAsync, RUNS } from '../laws/runs.ts'
import { SEED } from '../laws/seed.ts'
import { describeBudgets, describeLimits, describeSharedBudgets } from './describe-admission.ts'
import { describeAudits, describeStoredKeys } from './describe-keys.ts'
import { describeRaises } from './describe-raises.ts'
import { describeLostInstances, describeOrder, describeSettling } from './describe-settling.ts'
import { describeRecords, describeUsage, describeUsagePages, describeUsageQueries } from './describe-usage.ts'
import { program } from './program.ts'
import { runProgram } from './run-program.ts'
import { runTogether, together } from './run-together.ts'
import type { StoreSubject } from './subject.ts'

export interface StoreSuiteOptions {
  /** The number of programs, as a part of the number of generated values of a law. */
  readonly programs?: number | undefined
}

/** Checks a driver against the port `Store` of @dragoman/accounts: by examples, and by generated programs that the store in memory runs too. */
export function describeStore(
  title: string,
  open: StoreSubject['open'],
  connect?: StoreSubject['connect'],
  options?: StoreSuiteOptions,
): void {
  const subject = { open, connect }
  describe(`the store ${title}`, () => {
    describeStoredKeys(subject)
    describeAudits(subject)
    describeRecords(subject)
    describeUsage(subject)
    describeUsagePages(subject)
    describeUsageQueries(subject)
  })
  describeStoredCalls(title, open, connect, options)
}

/** The part about open calls, limits and budgets, which some drivers have in two forms. */
export function describeStoredCalls(
  title: string,
  open: StoreSubject['open'],
  connect?: StoreSubject['connect'],
  { programs = 1 / 4 }: StoreSuiteOptions = {},
): void {
  const runs = Math.ceil(RUNS * programs)
  const subject = { open, connect }
  describe(`the calls of the store ${title}`, () => {
    describeLimits(subject)
    describeBudgets(subject)
    describeSharedBudgets(subject)
    describeRaises(subject)
    describeSettling(subject)
    describeOrder(subject)
    describeLostInstances(subject)

    it(`are what the store in memory has (${runs} programs of several instances, seed ${SEED})`, () =>
      holdsAsync(program, (steps) => runProgram(subject, steps), runs))

    it(`keep within limits and budgets when instances commit at the same time (${runs} programs, seed ${SEED})`, () =>
      holdsAsync(together, (instances) => runTogether(subject, instances), runs))
  })
}
