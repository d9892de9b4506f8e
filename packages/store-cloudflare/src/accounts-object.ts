import type { Sql } from '@dragoman/store-sqlite/sql'
import { createObjectSql } from './object-sql.ts'
import { createObjectStore, nextLoss, type ObjectStore } from './object-store.ts'
import type { ObjectState, ObjectStorage } from './platform.ts'
import { writeAnswer, writeFailure } from './wire.ts'

/** An alarm costs as much as a call. */
const LEAST_ALARM_MS = 1000

/**
 * The Durable Object that has all keys, limits, budgets and usage, in its SQLite. Export it from the entry of the worker. It does one thing
 * after the other, and the platform holds an answer back until what it tells is stored. It is a class because the platform wants one.
 */
export class AccountsObject {
  readonly #storage: ObjectStorage
  readonly #clock: { now(): number }
  readonly #sql: Sql
  readonly #store: ObjectStore
  /** Unknown until it is asked for. */
  #alarmAt: number | null | undefined

  constructor({ storage }: ObjectState, _environment?: unknown, clock: { now(): number } = Date) {
    this.#storage = storage
    this.#clock = clock
    this.#sql = createObjectSql(storage)
    this.#store = createObjectStore(this.#sql, clock)
  }

  async fetch(request: Request): Promise<Response> {
    const method = new URL(request.url).pathname.slice(1)
    const values = (await request.json()) as readonly unknown[] // as a store has written them
    try {
      if (!Object.hasOwn(this.#store, method)) throw new Error(`the object has no method ${method}`)
      const result: unknown = Reflect.apply(this.#store[method as keyof ObjectStore], undefined, values) // checked above
      if (method === 'commit') await this.#watch()
      return writeAnswer(result)
    } catch (error) {
      return writeFailure(error)
    }
  }

  /** Closes the calls of lost instances, even if no further call comes. */
  async alarm(): Promise<void> {
    this.#alarmAt = null
    const { isDone } = this.#store.buryLost()
    await this.#watch(isDone ? undefined : this.#clock.now())
  }

  /** Sets the alarm, unless there is one: then it is set again when that one has come. */
  async #watch(next: number | undefined = nextLoss(this.#sql)): Promise<void> {
    this.#alarmAt ??= await this.#storage.getAlarm()
    if (this.#alarmAt !== null || next === undefined) return
    this.#alarmAt = Date.now() + Math.max(LEAST_ALARM_MS, next - this.#clock.now())
    await this.#storage.setAlarm(this.#alarmAt)
  }
}
