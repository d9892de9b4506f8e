import {
  endOf,
  ratesOf,
  takeFrom,
  type Batch,
  type BatchResult,
  type Bucket,
  type CallRecord,
  type HeldSlice,
  type Limits,
  type OpenCall,
  type Opening,
  type Raise,
  type Refused,
  type Settlement,
  type SliceRequest,
  type Verdict,
} from '@dragoman/accounts/store'
import { namesOfItems, packItems } from './items.ts'
import { createNameList, nameRoute, nameWho, type NameList } from './names.ts'
import { OUTCOMES } from './outcomes.ts'

/** What `commit_batch` does besides the batch, if Redis has decided otherwise. */
export interface Amendment {
  /** Openings that an earlier statement has granted: they are taken back before anything else. */
  readonly cancel?: readonly CancelledOpening[] | undefined
  /** What keys have used of their limits, instead of what the database knows. */
  readonly seeds?: readonly (Bucket & { readonly key: string })[] | undefined
}

export interface CancelledOpening {
  readonly id: string
  readonly key: string
  readonly slices: readonly Omit<HeldSlice, 'key'>[]
}

/** A batch as `commit_in_order` and `commit_batch` read it: `place` is the index of an entry in its list. */
export function packBatch(batch: Batch, now: number | undefined, { cancel = [], seeds = [] }: Amendment = {}): string {
  const names = createNameList()
  const { instance, number, ttlMs, settlements, slices, raises = [], openings, last } = batch
  const rounds = createRounds()
  const rows = settlements.map((settlement, index) => ({
    place: index,
    round: rounds.next(settlement.id),
    ...packSettlement(settlement, names),
  }))
  const raised = raises.map((raise) => packRaise(raise, names))
  const opened = openings.map((opening) => packOpening(opening, names))
  // A call without limits and slice requests changes nothing that its key shares with other instances.
  const sharing = openings.filter(({ limits, sliceRequests }) => sliceRequests.length > 0 || hasLimits(limits))
  const calls = [...raises, ...sharing].map(({ call }) => call)
  const keys = new Set([...settlements, ...slices, ...cancel, ...calls].map(({ key }) => key))
  return JSON.stringify({
    now,
    instance,
    number,
    ttlMs,
    last: last === true,
    keys: [...keys],
    rounds: rounds.count(),
    cancel,
    seeds,
    settlements: rows,
    slices,
    raises: raised,
    openings: opened,
    names: names.texts,
  })
}

/** What `commit_batch` has answered. */
export interface PackedResult {
  readonly isNew: boolean
  readonly now: number
  /** The indexes of the settlements that had an effect. */
  readonly effective: readonly number[]
  readonly raised: readonly PackedVerdict[]
  readonly verdicts: readonly PackedVerdict[]
}

/** The bucket is null if the key has no limits per minute. */
export type PackedVerdict = { readonly bucket: Pick<Bucket, 'requests' | 'tokens'> | null } & (
  | { readonly granted: readonly number[] }
  | { readonly repeated: true }
  | { readonly refused: 'rate' | 'concurrent' }
  | { readonly refused: 'budget'; readonly place: number; readonly spent: number; readonly held: number }
)

export function unpackResult(
  { isNew, now, raised, verdicts }: Omit<PackedResult, 'effective'>,
  { raises, openings }: Pick<Batch, 'raises' | 'openings'>,
): BatchResult {
  const ofRaises = raises?.map((raise, index) => verdictOf(raised[index], { ...raise, ...UNLIMITED }, now))
  return {
    isNew,
    ...(ofRaises === undefined ? {} : { raised: ofRaises }),
    verdicts: openings.map((opening, index) => verdictOf(verdicts[index], opening, now)),
  }
}

const UNLIMITED = { limits: {}, tokens: 0 } as const

function verdictOf(
  packed: PackedVerdict | undefined,
  { limits, tokens, sliceRequests }: Opening,
  now: number,
): Verdict {
  if (packed === undefined) throw new Error('The database has answered with too few verdicts.')
  const bucket: Bucket = { requests: packed.bucket?.requests ?? 0, tokens: packed.bucket?.tokens ?? 0, at: now }
  const rates = ratesOf(bucket, limits)
  if ('repeated' in packed) return { granted: sliceRequests.map(() => 0), rates }
  if ('granted' in packed) return { granted: packed.granted, rates }
  switch (packed.refused) {
    case 'concurrent':
      return { refused: 'concurrent', rates }
    case 'budget': {
      const { spent, held, place: index } = packed
      return { refused: 'budget', rates, spent, held, ...endOfBudget(sliceRequests[index], now) }
    }
    case 'rate': {
      const { refused = 'requests', waitMs } = takeFrom(bucket, limits, tokens, now)
      return { refused, waitMs, rates }
    }
    default:
      return packed satisfies never
  }
}

function endOfBudget(request: SliceRequest | undefined, now: number): Pick<Refused, 'period' | 'waitMs'> {
  const end = request === undefined ? undefined : endOf(request)
  return { period: request?.period, waitMs: end === undefined ? undefined : Math.max(0, end - now) }
}

/** A statement can change a record once. Settlements of one call in one batch, which are rare, take one round each. */
function createRounds() {
  const seen = new Map<string, number>()
  return {
    next(id: string): number {
      const round = seen.get(id) ?? 0
      seen.set(id, round + 1)
      return round
    },
    count: () => Math.max(0, ...seen.values()),
  }
}

function packSettlement(settlement: Settlement, names: NameList) {
  const { id, key, record, budgets, limits, tokens } = settlement
  return {
    id,
    key,
    budgets,
    limits,
    tokens,
    record: record === undefined ? undefined : packRecord(record, names),
  }
}

function packRecord(record: CallRecord, names: NameList) {
  const { tokens, losses, items } = record
  return {
    ...packCall(record, names),
    cost: record.cost,
    input: orNull(tokens.input),
    output: orNull(tokens.output),
    cache_read: orNull(tokens.cacheRead),
    cache_write_5m: orNull(tokens.cacheWrite5m),
    cache_write_1h: orNull(tokens.cacheWrite1h),
    reasoning: orNull(tokens.reasoning),
    losses: losses.length === 0 ? null : names.add(JSON.stringify(losses)),
    ms: record.ms,
    first_byte: record.firstByteMs,
    attempts: record.attempts,
    status: record.status,
    outcome: OUTCOMES.indexOf(record.outcome),
    estimated: record.estimated,
    ...(items.length > 0 && { item_names: names.add(namesOfItems(items)), items: packItems(items) }),
  }
}

function packOpening({ limits, tokens, ...raise }: Opening, names: NameList) {
  return { ...packRaise(raise, names), limits, tokens }
}

/** The slice requests, by the name that the functions in databases read. An older instance still sends it during a rollout. */
const REQUESTS = 'wishes'

function packRaise({ call, budgets, sliceRequests }: Raise, names: NameList) {
  return {
    call: { id: call.id, key: call.key, estimate: call.estimate, ...packCall(call, names) },
    budgets,
    [REQUESTS]: sliceRequests.map((request, index) => ({ place: index, ...request })),
  }
}

function packCall(call: Omit<OpenCall, 'estimate'> & { readonly prices?: string }, names: NameList) {
  return {
    at: call.at,
    who: names.add(nameWho(call)),
    route: names.add(nameRoute(call)),
    asked: names.add(call.asked),
    conversation: call.conversation === '' ? null : call.conversation,
  }
}

export function hasLimits({ requests, tokens, concurrent }: Limits): boolean {
  return requests !== undefined || tokens !== undefined || concurrent !== undefined
}

function orNull(count: number): number | null {
  return count === 0 ? null : count
}
