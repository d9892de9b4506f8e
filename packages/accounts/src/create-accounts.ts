import { systemClock, type Caller, type Clock, type Keys, type Stage } from '@dragoman/gateway'
import { createRecentRefusals } from './calls/recent-refusals.ts'
import { createBodyStage } from './calls/body-stage.ts'
import { createCallStage } from './calls/call-stage.ts'
import { createModelNames } from './calls/model-names.ts'
import { createGroups } from './calls/groups.ts'
import type { RefusedMemory } from './calls/refused-calls.ts'
import type { ConfiguredKey, Terms } from './calls/terms.ts'
import { createHousekeeping, type RetentionDays } from './housekeeping.ts'
import { createKeyCache } from './keys/key-cache.ts'
import { randomText } from './keys/secret.ts'
import { createWrongKeys } from './keys/wrong-keys.ts'
import { quiet } from './quiet.ts'
import type { Store } from './store/store.ts'

export interface AccountsOptions {
  readonly store: Store
  /** The keys of a configuration, which stay valid. They are looked up first. */
  readonly keys?: Keys | undefined
  /** The limits and budgets of such a key, by the id of its caller. Asked once for each caller. */
  readonly configured?: ((id: string) => ConfiguredKey | undefined) | undefined
  readonly clock?: Clock | undefined
  /** Runs a function soon: in Node, pass `setImmediate`, so that calls of one turn of the event loop form a group. */
  readonly schedule?: ((run: () => void) => void) | undefined
  /**
   * What happens to calls while the store cannot be reached: they are refused, or served without limits and recorded when it is back.
   * 'refuse' if absent.
   */
  readonly onLoss?: 'refuse' | 'serve' | undefined
  /** With 'serve': the number of records that wait in memory at most. Then calls are refused. 100,000 if absent. */
  readonly mostWaiting?: number | undefined
  /** The number of different names of models that this instance records at most. 10,000 if absent. */
  readonly mostNames?: number | undefined
  /** How long the store waits for a heartbeat until it closes the calls of this instance, in milliseconds. 30 seconds if absent. */
  readonly ttlMs?: number | undefined
  /**
   * How long a commit may take until it counts as failed, in milliseconds. Absent: any time, because the store reports failures itself. For
   * platforms that end requests together with what they wait for.
   */
  readonly patienceMs?: number | undefined
  readonly retention?: RetentionDays | undefined
  /**
   * Keeps calls that were refused because the store had failed, so that they are never charged, even if this process ends before the store is
   * back: `closeRefused` closes them then. Without it, such calls are charged their estimates if the store has opened them.
   */
  readonly refused?: RefusedMemory | undefined
  /** Receives failures of the store. They contain no secret of a caller. */
  readonly onFailed?: ((thrown: unknown) => void) | undefined
  /** The store is back after a failure: what was waiting is committed. */
  readonly onRestored?: (() => void) | undefined
}

/** Keys and stages for `createGateway`. */
export interface Accounts {
  readonly keys: Keys
  readonly stages: readonly Stage[]
  /** Settled calls that are not committed yet. */
  readonly waiting: number
  /** Limits or budgets of these keys of the configuration have changed: what was admitted or refused before counts no longer. */
  release(keys: readonly string[]): void
  /** Resolves when every call that is settled now is committed. Rejects if the store fails. */
  flush(): Promise<void>
  /** Does the work of the timers, for runtimes that stop between calls: heartbeats, closing lost instances, and deleting old data. */
  tend(): Promise<void>
  /** Commits everything and stops. The store stays open. */
  close(): Promise<void>
}

export interface StoreState {
  /** Calls are refused, because the store has failed. */
  readonly isRefusing: boolean
}

/** Keys, limits, budgets and usage of a gateway, over a store that several instances share. */
export function createAccounts(options: AccountsOptions): Accounts & StoreState {
  const { store, clock = systemClock, schedule = queueMicrotask, onLoss = 'refuse', mostWaiting = 100_000 } = options
  const { ttlMs = 30_000, patienceMs = Number.POSITIVE_INFINITY, retention = {} } = options
  const { configured = ignore } = options
  const onFailed = quiet(options.onFailed ?? ignore)
  const onRestored = quiet(options.onRestored ?? ignore)
  const isServing = onLoss === 'serve'
  const groups = createGroups({
    store,
    clock,
    schedule,
    instance: randomText(16),
    ttlMs,
    patienceMs,
    isServing,
    onFailed,
    onRestored,
    refused: options.refused,
  })
  const refusals = createRecentRefusals()
  const onChanged = (key: string): void => {
    refusals.remove(key)
    groups.slices.release(key)
  }
  const wrong = createWrongKeys(clock)
  const cache = createKeyCache({
    store,
    clock,
    schedule,
    keys: options.keys,
    configured,
    wrong,
    isServing,
    onChanged,
    onFailed,
  })
  const termsOf = (caller: Caller): Terms => cache.termsOf(caller)
  const nameOf = createModelNames(options.mostNames ?? 10_000)
  const calls = createCallStage({ groups, refusals, termsOf, clock, isServing, mostWaiting, nameOf })
  const beat = (): void => {
    groups.slices.giveBack(clock.now())
    if (groups.slices.isHolding() || calls.running() > 0) groups.beat()
  }
  const housekeeping = createHousekeeping({ store, clock, retention, ttlMs, beat, onFailed })
  return {
    keys: cache,
    stages: [calls.stage, createBodyStage({ store, termsOf, clock, onFailed })],
    get isRefusing() {
      return !isServing && groups.hasFailed()
    },
    get waiting() {
      return groups.waiting()
    },
    release: (changed) => changed.forEach(onChanged),
    flush: () => groups.flush(),
    tend: () => housekeeping.tend(),
    close() {
      housekeeping.stop()
      return groups.close()
    },
  }
}

function ignore(): undefined {}
