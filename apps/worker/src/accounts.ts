import { createAdmin, createGenerations, type AdminHandler, type GenerationHandler } from '@dragoman/accounts/admin'
import { createMemoryKeys, type KeyEntry, type Keys, type Stage } from '@dragoman/gateway'
import { createCloudflareStore, createWorkerAccounts, type ObjectNamespace } from '@dragoman/store-cloudflare'
import { waitUntil } from 'cloudflare:workers'
import { complain } from './log.ts'

/** The variables of accounts. */
export interface AccountVariables {
  /** A key that may call the admin API, at least 32 characters. */
  readonly DRAGOMAN_ADMIN_KEY?: string
  /** What happens to calls while the store cannot be reached: `refuse` or `serve`. */
  readonly DRAGOMAN_STORE_LOSS?: string
  /** How long things are kept, in days. */
  readonly DRAGOMAN_KEEP_RECORDS?: string
  readonly DRAGOMAN_KEEP_HOURS?: string
  readonly DRAGOMAN_KEEP_AUDIT?: string
}

/** Keys, limits, budgets and usage of this worker. */
export interface WorkerAccounts {
  /** All keys: those of the variables and those of the store. */
  readonly keys: Keys
  readonly stages: readonly Stage[]
  /** Answers administrators. */
  readonly admin: AdminHandler
  /** Answers callers who ask for their own calls. */
  readonly generation: GenerationHandler
}

/** Shorter ones could be guessed. */
const SHORTEST_ADMIN_KEY = 32
/** A store that is lost fails for every call: one line in this time is enough. */
const SAME_FAILURE_MS = 10_000

export function createAccountsOf(
  namespace: ObjectNamespace,
  variables: AccountVariables,
  entries: readonly KeyEntry[],
): WorkerAccounts {
  const store = createCloudflareStore({ namespace, waitUntil })
  let complainedAt = Number.NEGATIVE_INFINITY
  const onFailed = (thrown: unknown): void => {
    if (Date.now() - complainedAt < SAME_FAILURE_MS) return
    complainedAt = Date.now()
    complain(`the store of keys and usage (${store.title}) fails`, thrown)
  }
  const { keys, stages } = createWorkerAccounts({
    store,
    waitUntil,
    keys: createMemoryKeys([...entries, ...adminOf(variables)]),
    onLoss: variables.DRAGOMAN_STORE_LOSS === 'serve' ? 'serve' : 'refuse',
    retention: {
      records: daysOf(variables.DRAGOMAN_KEEP_RECORDS),
      hours: daysOf(variables.DRAGOMAN_KEEP_HOURS),
      audit: daysOf(variables.DRAGOMAN_KEEP_AUDIT),
    },
    onFailed,
  })
  const admin = createAdmin({ store, keys, onError: onFailed })
  const generation = createGenerations({ store, keys, onError: onFailed })
  return { keys, stages, admin, generation }
}

/** It may not call models. Whoever needs a key for both makes one with it. */
function adminOf({ DRAGOMAN_ADMIN_KEY: secret = '' }: AccountVariables): readonly KeyEntry[] {
  if (secret === '') return []
  if (secret.length >= SHORTEST_ADMIN_KEY) return [{ id: 'admin', secret, admin: true, inference: false }]
  complain(`DRAGOMAN_ADMIN_KEY is not accepted: it needs at least ${SHORTEST_ADMIN_KEY} characters`)
  return []
}

/** A wrong number must not delete anything. */
function daysOf(text = ''): number | undefined {
  return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}
