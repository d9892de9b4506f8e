import type { Store } from '@dragoman/accounts/store'
import {
  AccountsObject,
  createCloudflareStore,
  type AccountsBindings,
  type D1,
  type D1Statement,
  type ObjectNamespace,
  type ObjectState,
} from '../src/index.ts'
import { writeAnswer, writeFailure } from '../src/wire.ts'

/** The class with the clock of a test, as it is, and with a database of a later version. */
export interface Environment {
  readonly TEST: ObjectNamespace
  readonly REAL: ObjectNamespace
  readonly NEWER: ObjectNamespace
  /** With the clock of a test, and an archive that has every record as soon as it may. */
  readonly ARCHIVED: ObjectNamespace
  /** Moves records before each call, to a D1 that fails if the call says so: before it does something, or after it. */
  readonly FLAKY: ObjectNamespace
}

export { AccountsObject }

/** The object with the clock of a test, which comes with each call. */
export class TestObject extends AccountsObject {
  readonly #clock: { at: number }

  constructor(state: ObjectState, environment: AccountsBindings) {
    const clock = { at: 0, now: () => clock.at }
    super(state, environment, clock)
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
  /** Everything that can be moved is moved before each call. */
  override async fetch(request: Request): Promise<Response> {
    while (await this.archive());
    return super.fetch(request)
  }
}

export class FlakyObject extends AccountsObject {
  readonly #control: { state: string | null }

  constructor(state: ObjectState, { RECORDS }: AccountsBindings) {
    const control = { state: '' }
    super(state, { RECORDS: RECORDS && flaky(RECORDS, control) })
    this.#control = control
  }

  override async fetch(request: Request): Promise<Response> {
    this.#control.state = new URL(request.url).searchParams.get('d1')
    await this.archive().catch(() => undefined)
    return super.fetch(request)
  }

  override async alarm(): Promise<void> {}
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
  constructor(state: ObjectState, environment: AccountsBindings) {
    state.storage.sql.exec('CREATE TABLE IF NOT EXISTS dragoman (version INTEGER NOT NULL)')
    state.storage.sql.exec('INSERT INTO dragoman VALUES (1000)')
    super(state, environment)
  }
}

/** Calls a method of a store: `POST /<binding>/<name of the object>/<method>?now=<time>`, with its arguments as body. */
export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const [, binding, name = '', method = ''] = pathname.split('/')
    const namespace = environment[binding as keyof Environment] // as the tests write it
    const store = createCloudflareStore({ namespace: withQuery(namespace, search), name })
    const values = ((await request.json()) as readonly unknown[]).map((value) => value ?? undefined)
    try {
      return writeAnswer(
        await (Reflect.apply(store[method as keyof Store] as () => unknown, undefined, values) as Promise<unknown>),
      )
    } catch (error) {
      return writeFailure(error)
    }
  },
}

function withQuery(namespace: ObjectNamespace, query: string): ObjectNamespace {
  return {
    idFromName: (name) => namespace.idFromName(name),
    get: (id) => ({ fetch: (url, init) => namespace.get(id).fetch(url + query, init) }),
  }
}
