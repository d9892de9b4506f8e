import type { Sql } from '@dragoman/store-sqlite/sql'
import { createArchive, type Archive } from './archive/archive.ts'
import { archiveStep, withArchive } from './archive/archived-store.ts'
import type { D1 } from './archive/d1.ts'
import { createObjectSql } from './object-sql.ts'
import { createObjectStore, nextLoss, type ObjectStore } from './object-store.ts'
import type { ObjectState, ObjectStorage } from './platform.ts'
import { writeResult, writeFailure } from './wire.ts'

/** The bindings that the object uses. */
export interface AccountsBindings {
  /** Gets the records within about a minute. Without it, they stay in the object. */
  readonly RECORDS?: D1 | undefined
}

/** An alarm costs as much as a call. */
const LEAST_ALARM_MS = 1000
/** Records are moved in large steps: each costs one call of D1. */
const ARCHIVE_MS = 60_000
const NEVER = Number.POSITIVE_INFINITY

/**
 * The Durable Object that has all keys, limits, budgets and usage, in its SQLite. Export it from the entry of the worker. It does one thing
 * after the other, and the platform holds an answer back until its writes are stored. It is a class because the platform wants one.
 */
export class AccountsObject {
  readonly #storage: ObjectStorage
  readonly #clock: { now(): number }
  readonly #sql: Sql
  readonly #store: ObjectStore
  readonly #archive: Archive | undefined
  /** The store with its archive. */
  readonly #whole: ObjectStore
  /** The time of the alarm; unknown until it is read. */
  #alarmAt: number | null | undefined
  #archiveAt = 0

  constructor({ id, storage }: ObjectState, { RECORDS }: AccountsBindings = {}, clock: { now(): number } = Date) {
    this.#storage = storage
    this.#clock = clock
    this.#sql = createObjectSql(storage)
    this.#store = createObjectStore(this.#sql, clock)
    this.#archive = RECORDS && createArchive(RECORDS, id.toString().slice(0, 16))
    this.#whole = this.#archive === undefined ? this.#store : withArchive(this.#store, this.#archive)
  }

  async fetch(request: Request): Promise<Response> {
    const method = new URL(request.url).pathname.slice(1)
    const values = (await request.json()) as readonly unknown[] // as a store has written them
    try {
      if (!Object.hasOwn(this.#whole, method)) throw new Error(`the object has no method ${method}`)
      const result: unknown = await Reflect.apply(this.#whole[method as keyof ObjectStore], undefined, values) // checked above
      if (method === 'commit') await this.#watch(nextLoss(this.#sql))
      return writeResult(result)
    } catch (error) {
      return writeFailure(error)
    }
  }

  /** Closes the calls of lost instances, even if no further call comes, and moves records to the archive. */
  async alarm(): Promise<void> {
    this.#alarmAt = null
    const { isDone } = this.#store.buryLost()
    if (this.#archive !== undefined && this.#archiveAt <= this.#clock.now()) await this.#archiveSome()
    await this.#watch(isDone ? nextLoss(this.#sql) : this.#clock.now())
  }

  /** Moves some records to D1. Returns whether there may be more. */
  async archive(): Promise<boolean> {
    return this.#archive !== undefined && archiveStep(this.#store, this.#archive)
  }

  /** If D1 cannot be reached, the records stay in the object until the next time. */
  async #archiveSome(): Promise<void> {
    const now = this.#clock.now()
    try {
      this.#archiveAt = (await this.archive()) ? now : now + ARCHIVE_MS
    } catch (error) {
      this.#archiveAt = now + ARCHIVE_MS
      const reason = error instanceof Error ? error.message : String(error)
      // oxlint-disable-next-line no-console -- the log of this platform is the console
      console.error(JSON.stringify({ level: 'error', message: 'records cannot be moved to D1, and stay', reason }))
    }
  }

  /** Sets the alarm, unless there is one that is early enough: it is set again when that one has come. */
  async #watch(next: number | undefined): Promise<void> {
    this.#alarmAt ??= await this.#storage.getAlarm()
    // Instances are lost in the order of their alarms, so only the archive can be earlier.
    const archiveAt = this.#archive === undefined ? NEVER : this.#timeOf(this.#archiveAt)
    if (this.#alarmAt !== null && archiveAt >= this.#alarmAt) return
    const hasRecords = archiveAt !== NEVER && this.#store.finalRecords(1).length > 0
    const lossAt = this.#alarmAt ?? (next === undefined ? NEVER : this.#timeOf(next))
    const at = Math.min(lossAt, hasRecords ? archiveAt : NEVER)
    if (at === (this.#alarmAt ?? NEVER)) return
    this.#alarmAt = at
    await this.#storage.setAlarm(at)
  }

  /** When the platform may ring, for a time of the clock. */
  #timeOf(at: number): number {
    return Date.now() + Math.max(LEAST_ALARM_MS, at - this.#clock.now())
  }
}
