import {
  PERIODS,
  type Balance,
  type HeldSlice,
  type PeriodStart,
  type Refused,
  type SliceRequest,
} from '@dragoman/accounts/store'
import type { Names } from './names.ts'
import { numberIn, textIn, type Sql } from './sql.ts'

/** The costs of one transaction, by budget. */
export interface Charges {
  /** Adds to the spending of budgets; the cost can be negative. */
  add(key: number, budgets: readonly PeriodStart[], cost: number): void
  /** Adds them to the spending in the database, which grants read. */
  flush(): void
}

interface Charge extends PeriodStart {
  cost: number
}

export function createCharges(sql: Sql): Charges {
  /** By key, which has few budgets. */
  const charges = new Map<number, Charge[]>()
  const flush = (): void => {
    for (const [key, ofKey] of charges) {
      for (const { period, start, cost } of ofKey) sql.run(CHARGE, key, PERIODS.indexOf(period), start, cost)
    }
    charges.clear()
  }
  return {
    add(key, budgets, cost) {
      for (const { period, start } of budgets) {
        const charge = charges.get(key)?.find((each) => each.period === period && each.start === start)
        // Sums that a number cannot hold are added by SQLite.
        if (charge !== undefined && Number.isSafeInteger(charge.cost + cost)) {
          charge.cost += cost
          continue
        }
        if (charge !== undefined) flush()
        const ofKey = charges.get(key)
        if (ofKey === undefined) charges.set(key, [{ period, start, cost }])
        else ofKey.push({ period, start, cost })
      }
    },
    flush,
  }
}

const CHARGE = `INSERT INTO spending VALUES (?, ?, ?, CAST(? AS INTEGER))
  ON CONFLICT (key, period, start) DO UPDATE SET spent = spent + excluded.spent`

/** Makes a slice smaller, and ends it at 0. */
export function hold(sql: Sql, names: Names, instance: number, { key, period, start, amount }: HeldSlice): void {
  const id = names.find(key)
  if (id === undefined) return
  const slice = [id, PERIODS.indexOf(period), start, instance] as const
  if (amount > 0) sql.run(SHRINK, amount, ...slice, amount)
  else sql.run(`DELETE FROM slices WHERE key = ? AND period = ? AND start = ? AND instance = ?`, ...slice)
}

const SHRINK = `UPDATE slices SET amount = ? WHERE key = ? AND period = ? AND start = ? AND instance = ? AND amount > ?`

/** What a slice request gets, and what the budget had before; no amount if it has too little left. */
export interface Grant extends Required<Pick<Refused, 'spent' | 'held'>> {
  readonly amount: number | undefined
}

export function grant(sql: Sql, key: number, { period, start, limit, least, wanted }: SliceRequest): Grant {
  const budget = [key, PERIODS.indexOf(period), start] as const
  const [row] = sql.all(GRANT, limit, ...budget, ...budget)
  const [remaining, spent, held] = ['remaining', 'spent', 'held'].map((name) => numberIn(row ?? {}, name))
  if (remaining === undefined || spent === undefined || held === undefined) throw new TypeError('No budget was read')
  return { amount: remaining < least ? undefined : Math.min(remaining, wanted), spent, held }
}

const GRANT = `SELECT max(-1, CAST(? AS INTEGER) - spent - held) AS remaining,
    min(spent, ${Number.MAX_SAFE_INTEGER}) AS spent, min(held, ${Number.MAX_SAFE_INTEGER}) AS held
  FROM (SELECT coalesce((SELECT spent FROM spending WHERE key = ? AND period = ? AND start = ?), 0) AS spent,
    coalesce((SELECT sum(amount) FROM slices WHERE key = ? AND period = ? AND start = ?), 0) AS held)`

export function addSlice(
  sql: Sql,
  key: number,
  instance: number,
  { period, start }: PeriodStart,
  amount: number,
): void {
  if (amount === 0) return
  sql.run(
    `INSERT INTO slices VALUES (?, ?, ?, ?, CAST(? AS INTEGER))
      ON CONFLICT (key, period, start, instance) DO UPDATE SET amount = amount + excluded.amount`,
    key,
    PERIODS.indexOf(period),
    start,
    instance,
    amount,
  )
}

export function readBalances(sql: Sql, names: Names, key: string): readonly Balance[] {
  const id = names.find(key)
  if (id === undefined) return []
  const rows = sql.all(
    `SELECT period, start, CAST(sum(spent) AS TEXT) AS spent, CAST(sum(held) AS TEXT) AS held FROM (
      SELECT period, start, spent, 0 AS held FROM spending WHERE key = ?
      UNION ALL SELECT period, start, 0 AS spent, amount AS held FROM slices WHERE key = ?
    ) GROUP BY period, start ORDER BY period, start`,
    id,
    id,
  )
  return rows.map((row) => ({
    period: PERIODS[numberIn(row, 'period')] ?? 'total',
    start: numberIn(row, 'start'),
    spent: BigInt(textIn(row, 'spent')),
    held: BigInt(textIn(row, 'held')),
  }))
}
