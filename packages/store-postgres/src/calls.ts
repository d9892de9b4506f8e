import { PERIODS, type Balance, type Batch, type CallStore } from '@dragoman/accounts/store'
import { packBatch, unpackResult, type Amendment, type PackedResult } from './commit.ts'
import type { Counters } from './redis/counters.ts'
import { createHotCommit } from './redis/hot-commit.ts'
import { retried } from './retried.ts'
import type { All, First } from './statements.ts'

export interface CallsOptions {
  readonly schema: string
  readonly all: All
  readonly first: First
  readonly clock: { now(): number } | undefined
  /** Absent if PostgreSQL decides limits. */
  readonly counters: Counters | undefined
  readonly onError: (error: Error) => void
}

/** Open calls, limits and budgets. */
export function createCalls({ schema, all, first, clock, counters, onError }: CallsOptions): CallStore {
  const commit = async (batch: Batch, amendment?: Amendment): Promise<PackedResult> => {
    const packed = packBatch(batch, clock?.now(), amendment)
    const row = await retried(() =>
      first<{ result: PackedResult }>(`select ${schema}.commit_in_order($1) as result`, [packed]),
    )
    if (row === undefined) throw new Error('The database has answered nothing.')
    return row.result
  }
  const openCalls = (instance: string): Promise<readonly { id: string; key: string }[]> =>
    all(`select replace(id::text, '-', '') as id, key from ${schema}.open_calls where instance = $1`, [instance])
  return {
    commit:
      counters === undefined
        ? async (batch) => unpackResult(await commit(batch), batch)
        : createHotCommit({ counters, commit, openCalls, onError }),
    async buryLost() {
      for (let closed = 0; ;) {
        const row = await retried(() =>
          first<{ buried: { instance: string; closed: number } | null }>(`select ${schema}.bury_one($1) as buried`, [
            JSON.stringify({ now: clock?.now() }),
          ]),
        )
        if (row?.buried == null) return closed
        closed += row.buried.closed
        // If Redis is down, the calls of the instance expire there.
        await counters?.bury(row.buried.instance).catch(onError)
      }
    },
    async balances(key) {
      const rows = await all<{ period: Balance['period']; start: string; spent: string; held: string }>(
        `select coalesce(b.period, s.period) as period, coalesce(b.start, s.start) as start,
           coalesce(b.spent, 0) as spent, coalesce(s.held, 0) as held
         from (select * from ${schema}.balances where key = $1) b
         full join (select period, start, sum(amount) as held from ${schema}.slices where key = $1 group by period, start) s
         on s.period = b.period and s.start = b.start`,
        [key],
      )
      return rows
        .map(({ period, start, spent, held }) => {
          return { period, start: Number(start), spent: BigInt(spent), held: BigInt(held) }
        })
        .toSorted(
          (one, other) => PERIODS.indexOf(one.period) - PERIODS.indexOf(other.period) || one.start - other.start,
        )
    },
  }
}
