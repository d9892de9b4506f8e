import type { Batch, Opening } from '@dragoman/accounts/store'
import { hasLimits, type CancelledOpening, type PackedResult, type PackedVerdict } from '../commit.ts'
import type { Counted, CountedSettlement, CountedVerdict, Undo } from './counters.ts'

/** What is left to do after PostgreSQL and Redis have answered the same batch, each for its part. */
export interface Plan {
  /** Keys whose openings are taken back on both sides and decided again, by PostgreSQL and then by Redis. */
  readonly again: ReadonlySet<string>
  /** What Redis has to undo and to close. */
  readonly undo: readonly Undo[]
  readonly close: readonly string[]
  readonly corrections: readonly CountedSettlement[]
  /** For PostgreSQL: openings that it has granted, and Redis has not. */
  readonly cancel: readonly CancelledOpening[]
  /** What both have decided together. Those of the keys above do not count. */
  readonly verdicts: readonly PackedVerdict[]
}

/** Redis has not answered: what has limits is decided again. */
export function planAlone({ openings }: Batch, { verdicts }: PackedResult): Plan {
  const again = new Set(openings.filter(({ limits }) => hasLimits(limits)).map(({ call }) => call.key))
  const cancel = openings.flatMap((opening, index) => {
    return again.has(opening.call.key) ? cancelled(opening, verdicts[index]) : []
  })
  return { again, undo: [], close: [], corrections: [], cancel, verdicts }
}

/**
 * An opening is granted if both sides have granted it. If only one has, the other takes it back. That is not enough if both can refuse
 * openings of its key: then later ones were decided with a call that is not open.
 */
export function planTogether(batch: Batch, result: PackedResult, counted: Counted): Plan {
  const { settlements, openings } = batch
  const miscounted = miscountedKeys(batch, result, counted)
  const disputed = openings.filter((_, index) => isDisputed(result.verdicts[index], counted.verdicts[index]))
  const again = new Set(
    [...disputed.map(({ call }) => call.key), ...miscounted].filter((key) => {
      const ofKey = openings.filter(({ call }) => call.key === key)
      const isLimited = ofKey.some(({ limits }) => hasLimits(limits))
      return isLimited && (miscounted.has(key) || ofKey.some(({ sliceRequests }) => sliceRequests.length > 0))
    }),
  )
  const undone = new Set([...again, ...miscounted])
  const effective = new Set(result.effective)
  return {
    again,
    undo: undoOf(batch, counted, undone),
    corrections: settlements.flatMap(({ id, key, limits, tokens }, index) => {
      const isMissing = undone.has(key) && effective.has(index) && counted.settled[index] !== 'closed'
      return isMissing && limits.tokens !== undefined ? [{ id, key, limits, tokens, isForced: true }] : []
    }),
    close: openings.flatMap(({ call }, index) => {
      const here = counted.verdicts[index]
      const isOver = isRefused(result.verdicts[index]) ? !isRefused(here) : again.has(call.key) && isGranted(here)
      return isOver ? [call.id] : []
    }),
    cancel: openings.flatMap((opening, index) => {
      const isOver = again.has(opening.call.key) || isRefused(counted.verdicts[index])
      return isOver ? cancelled(opening, result.verdicts[index]) : []
    }),
    verdicts: result.verdicts.map((verdict, index) => together(verdict, counted.verdicts[index])),
  }
}

/** Gives back everything that an order has taken from the buckets of some keys. */
export function undoOf({ settlements, openings }: Batch, counted: Counted, keys: ReadonlySet<string>): Undo[] {
  return [...counted.buckets].flatMap(([key, { before, after }]) => {
    if (!keys.has(key)) return []
    const granted = openings.filter(({ call }, index) => {
      return call.key === key && isGranted(counted.verdicts[index])
    })
    const corrected = settlements.filter((each, index) => {
      return each.key === key && each.limits.tokens !== undefined && counted.settled[index] === 'corrected'
    })
    const requests = granted.filter(({ limits }) => limits.requests !== undefined).length
    const tokens = sumOf(granted.filter(({ limits }) => limits.tokens !== undefined)) + sumOf(corrected)
    return [{ key, before, after, requests, tokens }]
  })
}

/** Keys with a settlement that had an effect in PostgreSQL and not in Redis, or the other way round: it came late, or again. */
function miscountedKeys({ settlements }: Batch, { effective }: PackedResult, { settled }: Counted): Set<string> {
  const wrong = settlements.filter(({ limits }, index) => {
    return limits.tokens !== undefined && (settled[index] !== 'unknown') !== effective.includes(index)
  })
  return new Set(wrong.map(({ key }) => key))
}

function isDisputed(verdict: PackedVerdict | undefined, counted: CountedVerdict | undefined): boolean {
  return !isRepeated(verdict) && isRefused(verdict) !== isRefused(counted)
}

/** What both sides say of an opening. */
export function together(verdict: PackedVerdict, counted: CountedVerdict | undefined): PackedVerdict {
  const bucket = counted?.bucket ?? null
  if (counted !== undefined && isRefused(counted) && !isRepeated(verdict)) {
    return { refused: counted.answer === 'rate' ? 'rate' : 'concurrent', bucket }
  }
  return { ...verdict, bucket }
}

/** How PostgreSQL takes back what it has granted. A call that was open before stays open. */
export function cancelled(
  { call: { id, key }, sliceRequests }: Opening,
  verdict: PackedVerdict | undefined,
): CancelledOpening[] {
  if (verdict === undefined || !('granted' in verdict)) return []
  const slices = sliceRequests.map(({ period, start }, index) => ({
    period,
    start,
    amount: verdict.granted[index] ?? 0,
  }))
  return [{ id, key, slices }]
}

export function isRefused(verdict: PackedVerdict | CountedVerdict | undefined): boolean {
  if (verdict === undefined) return false
  return 'answer' in verdict ? verdict.answer === 'rate' || verdict.answer === 'concurrent' : 'refused' in verdict
}

/** Whether this order has opened the call: it was not open before. */
export function isGranted(verdict: CountedVerdict | undefined): boolean {
  return verdict?.answer === 'granted'
}

function isRepeated(verdict: PackedVerdict | undefined): boolean {
  return verdict !== undefined && 'repeated' in verdict
}

function sumOf(entries: readonly { readonly tokens: number }[]): number {
  return entries.reduce((all, { tokens }) => all + tokens, 0)
}
