import { dollarsOf } from '../money/nanos.ts'
import { billOf, PRICE } from '../money/prices.ts'
import type { ServerRecord } from '../server/admin.ts'
import type { LedgerEntry } from '../upstream/ledger.ts'

/** Calls of the audit have prompts of this text, so that the ledger knows their least bill. */
export const PROMPT =
  'Tell me what you see in the harbour when the boats come in and the light goes down behind the pier.'
/** At most this many tokens are answered. */
export const MOST_TOKENS = 1000

/** An estimate of a prompt is at least this many tokens: four characters each. */
const LEAST = BigInt(Math.floor(PROMPT.length / 4)) * PRICE.input
/** No estimate is above that of one token for each character, with members around it, and the longest answer. */
const MOST = billOf({ input: PROMPT.length + 200, output: MOST_TOKENS })

const NOTHING = { input: 0, output: 0 }

/** One call of a caller: what the upstream has received of it, one entry for each attempt. */
export interface BookedCall {
  readonly name: string
  readonly entries: readonly LedgerEntry[]
  /** Its instance was killed before it can have settled the call. */
  readonly isKilled?: boolean
}

/**
 * What is wrong with the record of a call, by the ledger of the upstream; undefined if nothing is. An attempt that the upstream has not
 * refused is charged: what it has reported, or an estimate of at least the prompt, marked as one.
 */
export function faultOf(call: BookedCall, records: readonly ServerRecord[]): string | undefined {
  const { entries, isKilled = false } = call
  const [record, ...others] = records
  if (record === undefined) return 'no record'
  if (others.length > 0) return `${records.length} records`
  const { nanos, outcome, estimated } = record
  const paid = dollarsOf(nanos)
  if (outcome === 'cut') {
    if (!isKilled) return 'cut, although its instance was not killed'
    return nanos < LEAST ? `cut for ${paid}, less than its prompt` : undefined
  }
  const billed = entries.filter(({ progress }) => progress !== 'refused')
  if (billed.length === 0) return nanos === 0n ? undefined : `refused, and charged ${paid}`
  const sum = (amountOf: (entry: LedgerEntry) => bigint): bigint =>
    billed.reduce((total, entry) => total + amountOf(entry), 0n)
  const reported = sum(({ hasReported, reportedSoFar, plan }) =>
    billOf(hasReported ? plan.bills : (reportedSoFar ?? NOTHING)),
  )
  if (billed.every(({ hasReported }) => hasReported)) {
    if (nanos === reported && !estimated) return undefined
    return isKilled && estimated
      ? undefined
      : `${paid}${estimated ? ' by an estimate' : ''} instead of the reported ${dollarsOf(reported)}`
  }
  if (nanos < sum(leastOf)) return `${paid}, less than its prompt`
  if (nanos > sum(({ hasReported, plan }) => (hasReported ? billOf(plan.bills) : MOST)))
    return `${paid}, more than any estimate`
  // What was counted before the answer broke off is not an estimate.
  return estimated || nanos === reported ? undefined : `${paid}, not marked as an estimate`
}

/** The least that an attempt must cost. */
function leastOf({ hasReported, reportedSoFar, plan }: LedgerEntry): bigint {
  if (hasReported) return billOf(plan.bills)
  if (reportedSoFar !== undefined) return billOf(reportedSoFar)
  // It is unknown whether a request has arrived on a connection that is closed at once: it may be sent again.
  return plan.breakAt === 'before-head' && plan.delayMs === undefined ? 0n : LEAST
}

/** The calls by their names: each asks for a model of its own, and attempts at other routes have the same name with an ending. */
export function bookedCalls(
  entries: readonly LedgerEntry[],
  isKilled = (_name: string): boolean => false,
): readonly BookedCall[] {
  const byName = Map.groupBy(entries, ({ model }) => nameOf(model))
  return [...byName].map(([name, each]) => ({ name, entries: each, isKilled: isKilled(name) }))
}

/** The faults of all calls that the upstream has received, and of all records. */
export function faultsOf(
  calls: readonly BookedCall[],
  records: readonly ServerRecord[],
  isKilled = (_name: string): boolean => false,
): readonly string[] {
  const recordsOf = Map.groupBy(records, ({ asked }) => nameOf(asked))
  const known = new Set(calls.map(({ name }) => name))
  const invented = [...recordsOf.keys()].filter((name) => !known.has(name) && !isKilled(name))
  return [
    ...calls.flatMap((call) => {
      const fault = faultOf(call, recordsOf.get(call.name) ?? [])
      const seen = call.entries.map(({ progress, hasReported }) => (hasReported ? `${progress}, reported` : progress))
      return fault === undefined ? [] : [`${call.name} (${seen.join('; ')}): ${fault}`]
    }),
    ...invented.map((name) => `${name}: a record of a call that the upstream has not received`),
  ]
}

function nameOf(model: string): string {
  return (model.split('/').at(-1) ?? '').replace(/\.[ab]$/, '')
}

export function sumOf(records: readonly ServerRecord[]): bigint {
  return records.reduce((sum, { nanos }) => sum + nanos, 0n)
}
