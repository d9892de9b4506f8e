import type { Rates } from './bucket.ts'
import type { CallRecord, OpenCall } from './call-record.ts'
import type { Period, PeriodStart } from './period.ts'
import type { Limits, StoredKey } from './stored-key.ts'
import type { Balance, UsagePage, UsageQuery } from './usage-query.ts'

/** A value, or a promise of it: stores inside the process answer at once. */
export type Awaitable<T> = T | Promise<T>

/**
 * The state that all instances share. Every method is one transaction: it has all of its effects or throws and has none. Times are those of
 * the store, so that the clocks of instances do not matter. Texts are well-formed and without U+0000, which some databases cannot store.
 * Every driver passes the same suite, `describeStore` of the testkit.
 */
export interface Store extends KeyStore, CallStore, UsageStore, AuditStore, BodyStore {
  /** A description for people: `SQLite at data/dragoman.db`. Contains no password. */
  readonly title: string
  close(): Awaitable<void>
}

export interface KeyStore {
  /** The key with a secret of this digest: the current one, or the previous one. Whether it is valid is not the store's concern. */
  findKey(digest: string): Awaitable<StoredKey | undefined>
  key(id: string): Awaitable<StoredKey | undefined>
  /** The keys that were changed after a revision, in the order of their revisions. */
  keysSince(revision: number, limit: number): Awaitable<readonly StoredKey[]>
  /**
   * Adds a key (`before` is 0), or replaces the revision `before` of it, with an entry in the audit log. Returns it with its new revision;
   * undefined if it has another revision by now. Revisions become visible in their order.
   */
  saveKey(key: Omit<StoredKey, 'revision'>, before: number, audit: AuditEntry): Awaitable<StoredKey | undefined>
}

export interface CallStore {
  /**
   * Writes what an instance has to write, in this order: settlements, slices, raises, openings. An instance sends one batch after the other. Settlements
   * that are sent again, because an answer was lost, have no further effect. A batch that comes after a later one is refused: its sender has
   * given it up, and has sent what was in it again or taken it back. This holds for a day after the instance is lost or has sent its last batch.
   */
  commit(batch: Batch): Awaitable<BatchResult>
  /**
   * Closes the open calls of instances that have not sent a batch in time: each gets a record with its estimate as cost, and the slices of
   * these instances end. Returns the number of closed calls.
   */
  buryLost(): Awaitable<number>
  /** What was spent of each budget that a key has, or has had. */
  balances(key: string): Awaitable<readonly Balance[]>
}

export interface Batch {
  /** Chosen at random when the process starts. */
  readonly instance: string
  /** Greater than that of every batch which the instance has sent before, whether that has arrived or not. */
  readonly number: number
  /** How long the store waits for the next batch of this instance until it is lost. */
  readonly ttlMs: number
  readonly settlements: readonly Settlement[]
  /**
   * What the instance still holds of its slices, after the settlements and before raises and openings of this batch. Others are unchanged. A slice
   * becomes smaller only: a greater amount has no effect.
   */
  readonly slices: readonly HeldSlice[]
  readonly raises?: readonly Raise[] | undefined
  readonly openings: readonly Opening[]
  /** Nothing more will come: the instance is forgotten. */
  readonly last?: true | undefined
}

/** A part of a budget that belongs to one instance. What others can get is the budget without the spending and all slices. */
export interface HeldSlice extends PeriodStart {
  readonly key: string
  /** Nano-dollars. At 0 the slice ends. */
  readonly amount: number
}

/** A call that is over. */
export interface Settlement {
  readonly id: string
  readonly key: string
  /** Absent if the call did not reach an upstream. Replaces a record that is `cut`, even by none; any other record stays as it is. */
  readonly record?: CallRecord | undefined
  /** The budgets that pay for it: those of its key when it began. */
  readonly budgets: readonly PeriodStart[]
  /** The limits of its key when it began. */
  readonly limits: Limits
  /** Tokens that it has used beyond those of its opening; negative if it has used fewer. */
  readonly tokens: number
}

/** A call that is about to be sent to an upstream. */
export interface Opening {
  readonly call: OpenCall
  /** The budgets that pay for it if it is cut off. */
  readonly budgets: readonly PeriodStart[]
  readonly limits: Limits
  /** The expected tokens. */
  readonly tokens: number
  /** The slices that the instance has too little of. */
  readonly sliceRequests: readonly SliceRequest[]
}

/**
 * A call that is open, and is about to be sent to another route for which more has to be reserved. It is open with the new route and the new
 * estimate from then on, or stays as it was if it is refused. Limits do not count it again.
 */
export interface Raise extends Pick<Opening, 'call' | 'budgets' | 'sliceRequests'> {}

export interface SliceRequest extends PeriodStart {
  /** The whole budget, in nano-dollars. */
  readonly limit: number
  /** Without this much more, the call is refused. */
  readonly least: number
  /** At most this much more is granted. */
  readonly wanted: number
}

export interface BatchResult {
  /** The store did not know the instance: it is new, or was lost and its slices have ended. */
  readonly isNew: boolean
  /** One for each raise, in the same order, without rates. Absent if the batch has none. */
  readonly raised?: readonly Verdict[]
  /** One for each opening, in the same order. */
  readonly verdicts: readonly Verdict[]
}

/** A call that is refused leaves nothing behind: no open call, no slice, nothing taken from a limit. */
export type Verdict = Granted | Refused

export interface Granted {
  /** One amount for each slice request, in the same order. All are 0 if the call is open already with this estimate: its batch was sent again. */
  readonly granted: readonly number[]
  readonly rates: Rates
}

export interface Refused {
  readonly refused: 'requests' | 'tokens' | 'concurrent' | 'budget'
  /** The budget that has no room for the call. */
  readonly period?: Period | undefined
  /** What was spent of that budget, in nano-dollars. */
  readonly spent?: number | undefined
  /** What all instances hold of that budget for calls under way, in nano-dollars. */
  readonly held?: number | undefined
  /** Until such a call may be admitted. Absent if only other calls or an operator can change it. */
  readonly waitMs?: number | undefined
  readonly rates: Rates
}

export interface UsageStore {
  /**
   * Sums per hour or day, key, owner, model, provider, page by page. A page takes memory for its own rows only, and other calls go on while
   * it is made. What is settled meanwhile may be in it or not.
   */
  usage(query: UsageQuery): Awaitable<UsagePage>
  /** The id may be any text. */
  record(id: string): Awaitable<CallRecord | undefined>
  /** Records in the order of their ids, after an id. */
  records(after: string, limit: number): Awaitable<readonly CallRecord[]>
  /** Deletes at most `limit` rows, in all, of what is older than these times, and returns how many. Balances stay. */
  prune(before: Retention, limit: number): Awaitable<number>
}

/** Unix milliseconds: what is older may be deleted. */
export interface Retention {
  /** Long before now: a call that is settled again after its record was deleted is charged again. */
  readonly records: number
  readonly hours: number
  readonly audit: number
}

export interface AuditStore {
  writeAudit(entry: AuditEntry): Awaitable<void>
  /** The latest entries before an id, latest first; from the end if it is absent. */
  audits(before: string | undefined, limit: number): Awaitable<readonly AuditEntry[]>
}

/** What an administrator has done. Contains no secret. */
export interface AuditEntry {
  /** 32 hexadecimal digits. Ids of later entries are greater. */
  readonly id: string
  /** Unix milliseconds. */
  readonly at: number
  /** The key that did it, or `terminal`. */
  readonly actor: string
  /** `keys.create`, `usage.read`, … */
  readonly action: string
  /** What it was done to; empty if it concerns everything. */
  readonly target: string
  /** The address of the caller; empty if unknown. */
  readonly address: string
  readonly detail: { readonly [name: string]: unknown }
}

export interface BodyStore {
  saveBodies(bodies: StoredBodies): Awaitable<void>
  bodies(id: string): Awaitable<StoredBodies | undefined>
}

/** The bodies of one call, redacted. `prune` deletes them after `until`. */
export interface StoredBodies {
  readonly id: string
  readonly key: string
  readonly until: number
  readonly request: string
  readonly answer: string
}
