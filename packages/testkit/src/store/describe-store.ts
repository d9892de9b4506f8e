import { describe, it } from 'vitest'
import { holdsAsync, RUNS, SEED } from '../laws/runs.ts'
import { describeBudgets, describeLimits, describeSharedBudgets } from './describe-admission.ts'
import { describeAudits, describeStoredKeys } from './describe-keys.ts'
import { describeLostInstances, describeSettling } from './describe-settling.ts'
import { describeRecords, describeUsage, describeUsageQueries } from './describe-usage.ts'
import { program } from './program.ts'
import { runProgram } from './run-program.ts'
import type { StoreSubject } from './subject.ts'

/** Checks a driver against the port `Store` of @dragoman/accounts: by examples, and by generated programs that the store in memory runs too. */
export function describeStore(title: string, open: StoreSubject['open'], connect?: StoreSubject['connect']): void {
  const subject = { open, connect }
  describe(`the store ${title}`, () => {
    describeStoredKeys(subject)
    describeAudits(subject)
    describeRecords(subject)
    describeUsage(subject)
    describeUsageQueries(subject)
  })
  describeStoredCalls(title, open, connect)
}

/** The part about open calls, limits and budgets, which some drivers have in two forms. */
export function describeStoredCalls(
  title: string,
  open: StoreSubject['open'],
  connect?: StoreSubject['connect'],
): void {
  const subject = { open, connect }
  describe(`the calls of the store ${title}`, () => {
    describeLimits(subject)
    describeBudgets(subject)
    describeSharedBudgets(subject)
    describeSettling(subject)
    describeLostInstances(subject)

    it(`are what the store in memory has (${Math.ceil(RUNS / 4)} programs of several instances, seed ${SEED})`, () =>
      holdsAsync(program, (steps) => runProgram(subject, steps), RUNS / 4))
  })
}
