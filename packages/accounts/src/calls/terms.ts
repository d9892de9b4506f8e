import type { Caller } from '@dragoman/gateway'
import { endOf, PERIODS, periodAt, type Period, type PeriodStart } from '../store/period.ts'
import type { BodyPolicy, Budgets, Limits, StoredKey } from '../store/stored-key.ts'
import { storableText } from '../store/unstorable.ts'

/** What applies to the calls of a key from the time they begin, in one revision of the key. */
export interface Terms {
  /** The name of the key in records. */
  readonly key: string
  /** Empty if it has none. */
  readonly owner: string
  readonly limits: Limits
  /** Whether answers show what is left of the limits. */
  readonly hasRates: boolean
  readonly bodies?: BodyPolicy | undefined
  /** The budgets that pay for a call that begins at a time. */
  readonly budgetsAt: (at: number) => readonly Paying[]
}

/** A budget in one period. */
export interface Paying extends PeriodStart {
  /** The whole budget, in nano-dollars. */
  readonly limit: number
}

/** What an operator has set for a key of the configuration. */
export interface ConfiguredKey {
  readonly owner?: string | undefined
  readonly limits?: Limits | undefined
  readonly budgets?: Budgets | undefined
  readonly bodies?: BodyPolicy | undefined
}

export function createTerms(key: string, { owner, limits = {}, budgets = {}, bodies }: ConfiguredKey): Terms {
  const hasRates = limits.requests !== undefined || limits.tokens !== undefined
  return {
    key: storableText(key),
    owner: storableText(owner ?? ''),
    limits,
    hasRates,
    bodies,
    budgetsAt: createBudgets(budgets),
  }
}

/** The caller that a stored key stands for. */
export function callerOf({ id, owner, models, providers, scopes }: StoredKey): Caller {
  const [admin, inference] = [scopes.includes('admin'), scopes.includes('inference')]
  return { id, owner: owner ?? id, models, providers, explainsAll: admin, admin, inference }
}

/** The list is the same object until a period ends. */
function createBudgets(budgets: Budgets): (at: number) => readonly Paying[] {
  const limited = PERIODS.filter((period) => budgets[period] !== undefined)
  if (limited.length === 0) return () => NONE
  let from = 0
  let until = 0
  let list = NONE
  return (at) => {
    if (at >= from && at < until) return list
    list = limited.map((period: Period) => ({ ...periodAt(period, at), limit: budgets[period] ?? 0 }))
    from = Math.max(...list.map(({ start }) => start))
    until = Math.min(...list.map((each) => endOf(each) ?? Number.POSITIVE_INFINITY))
    return list
  }
}

const NONE: readonly Paying[] = []
