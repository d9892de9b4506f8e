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
  const billed = entries.filter(
    (entry, index) => entry.progress !== 'refused' && !isSentAgain(entry, entries[index + 1]),
  )
  if (billed.length === 0) return nanos === 0n ? undefined : `refused, and charged ${paid}`
  const reported = billed.filter(({ hasReported }) => hasReported)
  const exact = reported.reduce((sum, { plan }) => sum + billOf(plan.bills), 0n)
  const guessed = BigInt(billed.length - reported.length)
  if (guessed === 0n) {
    if (nanos === exact && !estimated) return undefined
    return isKilled && estimated
      ? undefined
      : `${paid}${estimated ? ' by an estimate' : ''} instead of the reported ${dollarsOf(exact)}`
  }
  if (nanos < exact + guessed * LEAST) return `${paid}, less than its prompt`
  if (nanos > exact + guessed * MOST) return `${paid}, more than any estimate`
  return estimated ? undefined : `${paid}, not marked as an estimate`
}

/** On a connection that was kept open, nobody can tell whether a request arrived that is not answered at all: it is sent again. */
function isSentAgain({ model, plan }: LedgerEntry, next: LedgerEntry | undefined): boolean {
  return plan.breakAt === 'before-head' && next?.model === model
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
