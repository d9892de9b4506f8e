import type { Store } from '@dragoman/accounts/store'
import {
  AccountsObject,
  createCloudflareStore,
  type AccountsBindings,
  type D1,
  type D1Statement,
  type ObjectNamespace,
  type ObjectState,
  type WaitUntil,
} from '../src/index.ts'
import { writeResult, writeFailure } from '../src/wire.ts'

/** Classes of objects. */
export interface Bindings {
  /** With the clock of a test. */
  readonly TEST: ObjectNamespace
  /** As it is. */
  readonly REAL: ObjectNamespace
  /** With a database of a later version. */
  readonly NEWER: ObjectNamespace
  /** As it is, with records that move to D1. */
  readonly MOVING: ObjectNamespace
  /** With the clock of a test, and an archive that has every record as soon as it may. */
  readonly ARCHIVED: ObjectNamespace
  /** Moves records before each call, to a D1 that fails if the call says so: before it does something, or after it. */
  readonly FLAKY: ObjectNamespace
  /** The same, with tables of a later version in D1. */
  readonly NEWER_ARCHIVE: ObjectNamespace
}

interface Databases {
  readonly D1: D1
  readonly ARCHIVED_D1: D1
  readonly NEWER_D1: D1
}

type Environment = Bindings & Databases

/** The object, which ends when it is told to. */
export class RealObject extends AccountsObject {
  readonly #state: ObjectState & { abort(): void }

  constructor(state: ObjectState & { abort(): void }) {
    super(state)
    this.#state = state
  }

  override fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/restart') this.#state.abort()
    return super.fetch(request)
  }
}

export class MovingObject extends AccountsObject {
  constructor(state: ObjectState, { D1: RECORDS }: Databases) {
    super(state, { RECORDS })
  }
}

/** The object with the clock of a test, which comes with each call. */
export class TestObject extends AccountsObject {
  readonly #clock: { at: number }

  constructor(state: ObjectState, _: unknown, bindings: AccountsBindings = {}) {
    const clock = { at: 0, now: () => clock.at }
    super(state, bindings, clock)
    this.#clock = clock
  }

  override fetch(request: Request): Promise<Response> {
    this.#clock.at = Number(new URL(request.url).searchParams.get('now'))
    return super.fetch(request)
  }

  /** The time of the platform is not that of the test. */
  override async alarm(): Promise<void> {}
}

export class ArchivedObject extends TestObject {
  constructor(state: ObjectState, { ARCHIVED_D1: RECORDS }: Databases) {
    super(state, undefined, { RECORDS })
  }

  /** Everything that can be moved is moved before each call. */
  override async fetch(request: Request): Promise<Response> {
    while (await this.archive());
    return super.fetch(request)
  }
}

export class FlakyObject extends AccountsObject {
  readonly #control: { state: string | null }

  constructor(state: ObjectState, { D1 }: Pick<Databases, 'D1'>) {
    const control = { state: '' }
    super(state, { RECORDS: flaky(D1, control) })
    this.#control = control
  }

  override async fetch(request: Request): Promise<Response> {
    this.#control.state = new URL(request.url).searchParams.get('d1')
    await this.archive().catch(() => undefined)
    return super.fetch(request)
  }

  override async alarm(): Promise<void> {}
}

export class NewerArchiveObject extends FlakyObject {
  constructor(state: ObjectState, { NEWER_D1: D1 }: Databases) {
    super(state, { D1 })
  }
}

function flaky(d1: D1, control: { readonly state: string | null }): D1 {
  const plain = new Map<D1Statement, D1Statement>()
  return {
    prepare(statement) {
      const prepared = d1.prepare(statement)
      const guarded = flakyStatement(prepared, control, plain)
      plain.set(guarded, prepared)
      return guarded
    },
    batch: (statements) => d1.batch(statements.map((statement) => plain.get(statement) ?? statement)),
  }
}

function flakyStatement(
  statement: D1Statement,
  control: { readonly state: string | null },
  plain: Map<D1Statement, D1Statement>,
): D1Statement {
  const guard = async <T>(run: () => Promise<T>): Promise<T> => {
    if (control.state === 'down') throw new Error('D1 is down')
    const result = await run()
    if (control.state === 'deaf') throw new Error('the answer of D1 was lost')
    return result
  }
  return {
    bind(...values) {
      const bound = statement.bind(...values)
      const guarded = flakyStatement(bound, control, plain)
      plain.set(guarded, bound)
      return guarded
    },
    all: () => guard(() => statement.all()),
    run: () => guard(() => statement.run()),
  }
}

export class NewerObject extends AccountsObject {
  constructor(state: ObjectState) {
    state.storage.sql.exec('CREATE TABLE IF NOT EXISTS dragoman (version INTEGER NOT NULL)')
    state.storage.sql.exec('INSERT INTO dragoman VALUES (1000)')
    super(state)
  }
}

interface Context {
  waitUntil(promise: Promise<unknown>): void
}

/**
 * Calls a method of a store: `POST /<binding>/<name of the object>/<method>?now=<time>`, with its arguments as body. `/query/<database>` runs
 * a statement, and `/restart/<name>` ends a real object.
 */
export default {
  async fetch(request: Request, environment: Environment, context: Context): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const [, first = '', name = '', method = ''] = pathname.split('/')
    const values = ((await request.json()) as readonly unknown[]).map((value) => value ?? undefined)
    try {
      if (first === 'query') return writeResult(await query(environment[name as keyof Databases], values[0]))
      if (first === 'restart') return writeResult(await restart(environment.REAL, name))
      const namespace = environment[first as keyof Bindings] // as the tests write it
      const store = storeOf(namespace, name, searchParams, context)
      return writeResult(
        await (Reflect.apply(store[method as keyof Store] as () => unknown, undefined, values) as Promise<unknown>),
      )
    } catch (error) {
      return writeFailure(error)
    }
  },
}

/** How long a store waits that is to give up. */
const SHORT_MS = 100

function storeOf(namespace: ObjectNamespace, name: string, query: URLSearchParams, context: Context): Store {
  const withOptions = withQuery(namespace, `?${query}`)
  const waitUntil = (promise: Promise<unknown>): void => context.waitUntil(promise)
  const lateAfter = query.get('lateAfter')
  if (!lateAfter) return createCloudflareStore({ namespace: withOptions, name, waitUntil })
  const late = withDelay(
    withOptions,
    waitUntil,
    createCloudflareStore({ namespace: withOptions, name, waitUntil }),
    lateAfter,
  )
  return createCloudflareStore({ namespace: late, name, waitUntil, longestMs: SHORT_MS })
}

/** Requests are held back until the object has the record of a call. What it answers then is in its audit log. */
function withDelay(namespace: ObjectNamespace, waitUntil: WaitUntil, store: Store, call: string): ObjectNamespace {
  return {
    idFromName: (name) => namespace.idFromName(name),
    get: (id) => ({
      fetch(url, init) {
        const sending = (async () => {
          while ((await store.record(call)) === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
          const answer = await namespace.get(id).fetch(url, init)
          const text = await answer.text()
          const entry = { id: call, at: 0, actor: '', action: 'arrived late', target: '', address: '' }
          await store.writeAudit({ ...entry, detail: { text } })
          return { status: answer.status, text: async () => text }
        })()
        waitUntil(sending)
        return sending
      },
    }),
  }
}

function withQuery(namespace: ObjectNamespace, query: string): ObjectNamespace {
  return {
    idFromName: (name) => namespace.idFromName(name),
    get: (id) => ({ fetch: (url, init) => namespace.get(id).fetch(url + query, init) }),
  }
}

async function query(d1: D1, statement: unknown): Promise<unknown[]> {
  return (await d1.prepare(statement as string).all()).results // as the tests write it
}

/** The call that ends an object fails with it. */
async function restart(namespace: ObjectNamespace, name: string): Promise<void> {
  const stub = namespace.get(namespace.idFromName(name))
  await stub.fetch('https://accounts/restart', { method: 'POST', body: '' }).catch(() => undefined)
}
