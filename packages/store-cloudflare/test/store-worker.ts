import type { Store } from '@dragoman/accounts/store'
import { AccountsObject, createCloudflareStore, type ObjectNamespace, type ObjectState } from '../src/index.ts'
import { writeAnswer, writeFailure } from '../src/wire.ts'

/** The class with the clock of a test, as it is, and with a database of a later version. */
export interface Environment {
  readonly TEST: ObjectNamespace
  readonly REAL: ObjectNamespace
  readonly NEWER: ObjectNamespace
}

export { AccountsObject }

/** The object with the clock of a test, which comes with each call. */
export class TestObject extends AccountsObject {
  readonly #clock: { at: number }

  constructor(state: ObjectState, environment: unknown) {
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

export class NewerObject extends AccountsObject {
  constructor(state: ObjectState, environment: unknown) {
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
