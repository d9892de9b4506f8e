import { createUsageFold, UnstorableError, type Store } from '@dragoman/accounts/store'
import type { HourCursor } from '@dragoman/store-sqlite/sql'
import type { ObjectStore } from './object-store.ts'
import type { ObjectNamespace, WaitUntil } from './platform.ts'
import { readResult, readBalances, readStep } from './wire.ts'

export interface CloudflareStoreOptions<Id = unknown> {
  /** The binding of `AccountsObject`. */
  readonly namespace: ObjectNamespace<Id>
  /** The name of the object. Gateways with the same name share everything. `accounts` if absent. */
  readonly name?: string | undefined
  /**
   * `waitUntil` of the module `cloudflare:workers`. The platform breaks off what a request has asked for when its caller leaves; what is
   * asked of the store may concern other requests too.
   */
  readonly waitUntil?: WaitUntil | undefined
  /** The longest time for an answer of the object, in milliseconds. After it, the call fails. Ten seconds if absent. */
  readonly longestMs?: number | undefined
}

/** A store in a Durable Object. Each method is one round trip, and a page of a report one for each of its steps. */
export function createCloudflareStore<Id>(options: CloudflareStoreOptions<Id>): Store {
  const { namespace, name = 'accounts', waitUntil, longestMs = 10_000 } = options
  const title = `Durable Object ${name}`
  const id = namespace.idFromName(name)
  const send = async (method: keyof ObjectStore, values: readonly unknown[]): Promise<unknown> => {
    try {
      // A new stub each time: one that has failed stays broken, and each belongs to the request that has made it.
      const stub = namespace.get(id)
      const answered = stub.fetch(`https://accounts/${method}`, { method: 'POST', body: JSON.stringify(values) })
      return readResult(
        await within(
          longestMs,
          answered.then((answer) => answer.text()),
        ),
      )
    } catch (error) {
      const message = `${title}: ${error instanceof Error ? error.message : String(error)}`
      throw UnstorableError.isInstance(error)
        ? new UnstorableError(message, { cause: error })
        : new Error(message, { cause: error })
    }
  }
  const ask = (method: keyof ObjectStore, ...values: readonly unknown[]): Promise<unknown> => {
    const sent = send(method, values)
    // The caller of the method gets the failure.
    waitUntil?.(sent.catch(() => undefined))
    return sent
  }
  const call = async <Name extends keyof ObjectStore>(
    method: Name,
    ...values: Parameters<ObjectStore[Name]>
  ): Promise<Awaited<ReturnType<ObjectStore[Name]>>> =>
    (await ask(method, ...values)) as Awaited<ReturnType<ObjectStore[Name]>> // by its name

  return {
    title,
    findKey: (digest) => call('findKey', digest),
    key: (key) => call('key', key),
    keysSince: (revision, limit) => call('keysSince', revision, limit),
    saveKey: (...values) => call('saveKey', ...values),
    commit: (batch) => call('commit', batch),
    async buryLost() {
      for (let all = 0; ;) {
        const { closed, isDone } = await call('buryLost')
        all += closed
        if (isDone) return all
      }
    },
    balances: async (key) => readBalances(await ask('balances', key)),
    async usage(query) {
      const fold = createUsageFold(query)
      for (let cursor: HourCursor | undefined; ;) {
        const { rows, next } = readStep(await ask('usageStep', query, cursor, fold.last()))
        for (const row of rows) fold.add(row)
        if (next === undefined) return fold.page()
        cursor = next
      }
    },
    record: (record) => call('record', record),
    records: (after, limit) => call('records', after, limit),
    prune: (before, limit) => call('prune', before, limit),
    writeAudit: (entry) => call('writeAudit', entry),
    audits: (before, limit) => call('audits', before, limit),
    saveBodies: (bodies) => call('saveBodies', bodies),
    bodies: (record) => call('bodies', record),
    close() {},
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
