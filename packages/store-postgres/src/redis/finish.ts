import type { Batch, BatchResult, Opening, Verdict } from '@dragoman/accounts/store'
import { unpackResult, type Amendment, type PackedResult, type PackedVerdict } from '../commit.ts'
import type { Ask, Instance } from './ask.ts'
import type { Counted, CountedOpening } from './counters.ts'
import { readBucket } from './counters.ts'
import { cancelled, isRefused, together, type Plan } from './plan.ts'

export interface Sides {
  readonly ask: Ask
  /** One statement in PostgreSQL. */
  readonly commit: (batch: Batch, amendment?: Amendment) => Promise<PackedResult>
}

/** Takes back what only one side has granted, and decides again where that could change other openings. */
export async function finish(
  { ask, commit }: Sides,
  batch: Batch,
  instance: Instance,
  result: PackedResult,
  plan: Plan,
  counted: Counted | undefined,
): Promise<BatchResult> {
  const first = unpackResult({ ...result, verdicts: plan.verdicts }, batch)
  const { verdicts } = first
  const openings = batch.openings.filter(({ call }) => plan.again.has(call.key))
  const rest: Batch = { ...batch, settlements: [], slices: [], raises: undefined, openings }
  const decide = (seeds?: Amendment['seeds']): Promise<PackedResult> => commit(rest, { cancel: plan.cancel, seeds })
  if (openings.length === 0) {
    await Promise.all([amend(ask, batch, instance, plan), plan.cancel.length === 0 ? undefined : decide()])
    if (counted !== undefined) remember(instance, batch.openings, verdicts)
    return first
  }
  const amended = counted && (await amend(ask, batch, instance, plan))
  const seeds = amended && seedsOf(amended, plan, result.now - counted.now)
  const decided = await decide(seeds)
  const agreed =
    amended === undefined ? decided.verdicts : await agree({ ask, commit }, rest, instance, decided.verdicts)
  const again = unpackResult({ ...decided, verdicts: agreed }, { openings }).verdicts.values()
  const all = verdicts.map((verdict, index) => {
    return plan.again.has(batch.openings[index]?.call.key ?? '') ? (again.next().value ?? verdict) : verdict
  })
  if (counted !== undefined) remember(instance, batch.openings, all)
  return { ...first, verdicts: all }
}

/**
 * Redis has the last word on what PostgreSQL has decided again: it knows calls of other instances that are not in PostgreSQL yet. What it
 * refuses is taken back. Calls that were open before stay open.
 */
async function agree(
  { ask, commit }: Sides,
  batch: Batch,
  instance: Instance,
  verdicts: readonly PackedVerdict[],
): Promise<readonly PackedVerdict[]> {
  const open = batch.openings.flatMap((opening, index) => {
    const verdict = verdicts[index]
    return verdict === undefined || 'refused' in verdict ? [] : { opening, verdict }
  })
  const counted = await ask(batch, instance, {
    openings: open.map(({ opening, verdict }) => ({ ...countedOpening(opening), isForced: 'repeated' in verdict })),
  })
  if (counted === undefined) return verdicts
  const cancel = open.flatMap(({ opening, verdict }, index) => {
    return isRefused(counted.verdicts[index]) ? cancelled(opening, verdict) : []
  })
  if (cancel.length > 0) await commit({ ...batch, openings: [] }, { cancel })
  const found = counted.verdicts.values()
  return verdicts.map((verdict) => ('refused' in verdict ? verdict : together(verdict, found.next().value)))
}

async function amend(
  ask: Ask,
  batch: Batch,
  instance: Instance,
  { undo, close, corrections: settlements }: Plan,
): Promise<Pick<Counted, 'buckets'> | undefined> {
  if (undo.length + close.length + settlements.length === 0) return { buckets: new Map() }
  return ask(batch, instance, { undo, close, settlements })
}

export function countedOpening({ call: { id, key }, limits, tokens }: Opening): CountedOpening {
  return { id, key, limits, tokens }
}

/** The buckets of Redis in the time of PostgreSQL. */
function seedsOf(
  { buckets }: Pick<Counted, 'buckets'>,
  { again }: Plan,
  shiftMs: number,
): NonNullable<Amendment['seeds']> {
  return [...buckets].flatMap(([key, { after }]) => {
    const bucket = readBucket(after)
    return again.has(key) ? [{ ...bucket, key, at: bucket.at + shiftMs }] : []
  })
}

function remember({ counted }: Instance, openings: readonly Opening[], verdicts: readonly Verdict[]): void {
  for (const [index, { call }] of openings.entries()) {
    if ('granted' in (verdicts[index] ?? {})) counted.add(call.id)
  }
}
