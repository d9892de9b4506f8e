import type { CallRecord } from '../store/call-record.ts'
import type { Rates } from '../store/bucket.ts'
import { endOf, PERIODS, type PeriodStart } from '../store/period.ts'
import type { HeldSlice, Refused, SliceRequest, Verdict } from '../store/store.ts'
import type { Balance } from '../store/usage-query.ts'

/** What was spent of each budget, and what instances hold of it. */
export interface MemoryBudgets {
  /** The slices of one instance. */
  readonly slicesOf: (instance: string) => Slices
  readonly forget: (instance: string) => void
  readonly charge: (key: string, budgets: readonly PeriodStart[], cost: CallRecord['cost']) => void
  /** Grants all slice requests, or none of them. */
  readonly grantAll: (key: string, sliceRequests: readonly SliceRequest[], slices: Slices, rates: Rates) => Verdict
  readonly balances: (key: string) => readonly Balance[]
}

export interface Slices {
  /** Makes a slice smaller. One that is not here stays absent: the instance was lost in the meantime. */
  readonly hold: (slice: HeldSlice) => void
  readonly add: (slice: HeldSlice) => void
}

type Name = PeriodStart & { readonly key: string }

export function createMemoryBudgets(now: () => number): MemoryBudgets {
  const spending = new Map<string, Name & { readonly spent: bigint }>()
  const instances = new Map<string, Map<string, HeldSlice>>()
  const heldOf = (name: string): bigint => {
    let held = 0n
    for (const slices of instances.values()) held += BigInt(slices.get(name)?.amount ?? 0)
    return held
  }
  return {
    slicesOf(instance) {
      const slices = instances.get(instance) ?? new Map<string, HeldSlice>()
      instances.set(instance, slices)
      return {
        hold(slice) {
          const name = nameOf(slice)
          const amount = Math.min(slice.amount, slices.get(name)?.amount ?? 0)
          if (amount > 0) slices.set(name, { ...slice, amount })
          else slices.delete(name)
        },
        add(slice) {
          const name = nameOf(slice)
          if (slice.amount === 0) return
          slices.set(name, { ...slice, amount: slice.amount + (slices.get(name)?.amount ?? 0) })
        },
      }
    },
    forget: (instance) => void instances.delete(instance),
    charge(key, budgets, cost) {
      for (const { period, start } of budgets) {
        const name = nameOf({ key, period, start })
        spending.set(name, { key, period, start, spent: (spending.get(name)?.spent ?? 0n) + BigInt(cost) })
      }
    },
    grantAll(key, sliceRequests, slices, rates) {
      const granted: number[] = []
      for (const { period, start, limit, least, wanted } of sliceRequests) {
        const name = nameOf({ key, period, start })
        const [spent, held] = [spending.get(name)?.spent ?? 0n, heldOf(name)]
        const left = Number(BigInt(limit) - spent - held)
        if (left < least) return outOfBudget({ period, start }, exactly(spent), exactly(held), now(), rates)
        granted.push(Math.min(left, wanted))
      }
      for (const [index, { period, start }] of sliceRequests.entries()) {
        slices.add({ key, period, start, amount: granted[index] ?? 0 })
      }
      return { granted, rates }
    },
    balances(key) {
      const held = [...instances.values()].flatMap((slices): [string, Name][] => [...slices])
      return [...new Map<string, Name>([...held, ...spending])]
        .filter(([, budget]) => budget.key === key)
        .map(([name, { period, start }]) => ({
          period,
          start,
          spent: spending.get(name)?.spent ?? 0n,
          held: heldOf(name),
        }))
        .toSorted((one, other) => rankOf(one) - rankOf(other) || one.start - other.start)
    },
  }
}

function outOfBudget(budget: PeriodStart, spent: number, held: number, now: number, rates: Rates): Refused {
  const end = endOf(budget)
  const waitMs = end === undefined ? undefined : Math.max(0, end - now)
  return { refused: 'budget', period: budget.period, spent, held, rates, waitMs }
}

/** The amount, as far as a number is exact. */
function exactly(nanos: bigint): number {
  return Math.min(Number(nanos), Number.MAX_SAFE_INTEGER)
}

function nameOf({ key, period, start }: Name): string {
  return `${key} ${period} ${start}`
}

function rankOf({ period }: PeriodStart): number {
  return PERIODS.indexOf(period)
}
