import { PERIODS, periodAt, type CallRecord, type Period, type Store } from '@dragoman/accounts'

/** The store after a run of calls, and what the calls were. `checkBooks` compares them. */
export interface Run {
  readonly store: Store
  /** The ids of calls that upstreams have seen, one for each attempt. */
  readonly seen: readonly string[]
  /** The budgets of each key, in nano-dollars. */
  readonly budgets: { readonly [key: string]: { readonly [Name in Period]?: number } }
  /** By how much a key may have spent more than its budget. */
  readonly overspend: bigint
}

/**
 * What is wrong with the books after all calls are over and all instances that were lost are buried; empty if they are exact. Every call
 * that an upstream has seen has one record and no other call has one; balances and sums are the sums of the records, to the nano-dollar;
 * nothing is held; and no budget is exceeded by more than is allowed.
 */
export async function checkBooks({ store, seen, budgets, overspend }: Run): Promise<readonly string[]> {
  const faults: string[] = []
  const records = await allRecords(store)
  const recorded = new Set(records.map(({ id }) => id))
  if (recorded.size < records.length) faults.push('two records have the same id')
  for (const id of new Set(seen)) if (!recorded.has(id)) faults.push(`no record of call ${id}`)
  const calls = new Set(seen)
  // A call that was cut off may have been opened and not sent: it is charged, because the store cannot know that.
  for (const { id, outcome } of records)
    if (!calls.has(id) && outcome !== 'cut') faults.push(`a record of call ${id}, which no upstream has seen`)
  const {
    rows: [all],
  } = await store.usage({ from: 0, to: Number.MAX_SAFE_INTEGER, by: [], where: {} })
  const spent = sumOf(records)
  if ((all?.cost ?? 0n) !== spent) faults.push(`usage sums up to ${all?.cost}, records to ${spent}`)
  for (const [key, limits] of Object.entries(budgets)) {
    const own = records.filter((record) => record.key === key)
    const balances = await store.balances(key)
    for (const { period, start, spent: charged, held } of balances) {
      if (held !== 0n) faults.push(`${held} of ${key} for the ${period} are held by no instance`)
      const sum = sumOf(own.filter(({ at }) => periodAt(period, at).start === start))
      if (charged !== sum) faults.push(`${key} is charged ${charged} for the ${period} from ${start}, not ${sum}`)
      const over = charged - BigInt(limits[period] ?? 0)
      if (over > overspend) faults.push(`${key} has spent ${over} too much in the ${period} from ${start}`)
    }
    for (const period of PERIODS) {
      if (limits[period] === undefined) continue
      const charged = balances.filter((balance) => balance.period === period).map(({ spent: amount }) => amount)
      if (charged.reduce((one, other) => one + other, 0n) !== sumOf(own))
        faults.push(`${key} is not charged by ${period}`)
    }
  }
  return faults
}

export async function allRecords(store: Store): Promise<readonly CallRecord[]> {
  const records: CallRecord[] = []
  for (;;) {
    const page = await store.records(records.at(-1)?.id ?? '', 500)
    for (const record of page) records.push(record)
    if (page.length < 500) return records
  }
}

function sumOf(records: readonly CallRecord[]): bigint {
  return records.reduce((sum, { cost }) => sum + BigInt(cost), 0n)
}
