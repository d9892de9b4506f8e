import { dollarsOf } from '../money/nanos.ts'
import type { Stage } from '../scenario.ts'
import type { Server } from '../server/start-server.ts'
import { until } from '../server/until.ts'
import { bookedCalls, faultsOf, sumOf } from './judge.ts'

/** Compares the books of a server with those of the upstream, call by call and in sums. */
export async function compareBooks(
  { upstream, check }: Pick<Stage, 'upstream' | 'check'>,
  server: Server,
  keys: readonly string[],
  isKilled: (name: string) => boolean = () => false,
): Promise<void> {
  const calls = bookedCalls(upstream.entries, isKilled)
  const names = (asked: string): string => asked.split('/').at(-1) ?? ''
  await until(
    'all calls to be settled',
    async () => {
      const settledNames = new Set((await server.admin.records()).map(({ asked }) => names(asked)))
      return calls.every(({ name }) => settledNames.has(name))
    },
    500,
  ).catch(() => undefined)
  const records = await server.admin.records()
  const faults = faultsOf(calls, records, isKilled)
  check(
    'each call has one record, with the cost that the upstream has reported, or an estimate that is marked',
    faults.length === 0,
    `${faults.length} of ${calls.length} calls are wrong, ${records.filter(({ outcome }) => outcome === 'cut').length} are cut${faults.length === 0 ? '' : `: ${faults.slice(0, 5).join(' | ')}`}`,
  )
  const total = sumOf(records)
  const usage = await server.admin.usage()
  check(
    'the sums of hours are those of the records',
    usage.nanos === total && usage.calls === records.length,
    `${dollarsOf(usage.nanos)} and ${dollarsOf(total)}, ${usage.calls} and ${records.length} calls`,
  )
  for (const key of keys) {
    const owed = sumOf(records.filter((record) => record.key === key))
    const spent = (await server.admin.balances(key)).find(({ period }) => period === 'total')?.spent ?? 0n
    check(
      `the balance of ${key} is the sum of its records`,
      spent === owed,
      `${dollarsOf(spent)} and ${dollarsOf(owed)}`,
    )
  }
}
