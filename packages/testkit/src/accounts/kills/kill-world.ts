import { createKeyManager, type KeySettings, type NewSecret, type Store } from '@dragoman/accounts'
import { startInstance, type FleetInstance } from './fleet.ts'
import { startUpstream, type LoggingUpstream } from './upstream.ts'

/** A driver whose state several processes can share. */
export interface KillSubject {
  /** A script that passes to `runInstance` how a store is opened by its address. */
  readonly script: string
  /** Opens a new store, and returns it with its address. */
  readonly open: () => Promise<{ readonly address: string; readonly store: Store }>
}

/** What a test has: a store, an upstream, and instances. */
export interface KillWorld {
  readonly store: Store
  readonly upstream: LoggingUpstream
  /** Every instance that was ever started. */
  readonly all: readonly FleetInstance[]
  /** The processes that were killed. */
  readonly killed: ReadonlySet<number>
  alive(): readonly FleetInstance[]
  killedAt(): number
  start(): Promise<FleetInstance>
  kill(instance: FleetInstance): Promise<void>
  create(settings: Partial<KeySettings>): Promise<NewSecret>
}

/** Runs a test, and ends everything that it has started. `compiled` is a folder for the compiled code of instances. */
export async function withWorld(
  { script, open }: KillSubject,
  compiled: string,
  test: (world: KillWorld) => Promise<void>,
): Promise<void> {
  const upstream = await startUpstream()
  const { address, store } = await open()
  const manager = createKeyManager(store)
  const all: FleetInstance[] = []
  const killed = new Set<number>()
  let killedAt = 0
  try {
    await test({
      store,
      upstream,
      all,
      killed,
      alive: () => all.filter(({ pid }) => !killed.has(pid)),
      killedAt: () => killedAt,
      async start() {
        const instance = await startInstance({ script, address, upstream: upstream.url, compiled })
        all.push(instance)
        return instance
      },
      async kill(instance) {
        killed.add(instance.pid)
        await instance.kill()
        killedAt = Date.now()
      },
      create: (settings) => manager.create({ ...SETTINGS, ...settings }, { id: 'terminal', address: '' }),
    })
  } finally {
    await Promise.all(all.map((instance) => instance.kill()))
    await upstream.close()
    await store.close()
  }
}

const SETTINGS: KeySettings = {
  name: 'test',
  labels: {},
  scopes: ['inference'],
  limits: {},
  budgets: {},
  disabled: false,
}
