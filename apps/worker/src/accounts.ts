import { createFailureNotes } from '@dragoman/accounts'
import { createAdmin, createGenerations, type AdminHandler, type GenerationHandler } from '@dragoman/accounts/admin'
import { createMemoryKeys, type KeyEntry, type Keys, type Stage } from '@dragoman/gateway'
import { createCloudflareStore, createWorkerAccounts, type ObjectNamespace } from '@dragoman/store-cloudflare'
import { waitUntil } from 'cloudflare:workers'
import { complain } from './log.ts'
import type { WorkerSettings } from './settings.ts'

/** Keys, limits, budgets and usage of this worker. */
export interface WorkerAccounts {
  /** All keys: those of the variables and those of the store. */
  readonly keys: Keys
  readonly stages: readonly Stage[]
  /** Answers administrators. */
  readonly admin: AdminHandler
  /** Answers callers who look up their own calls. */
  readonly generation: GenerationHandler
}

export function createAccountsOf(
  namespace: ObjectNamespace,
  settings: WorkerSettings,
  entries: readonly KeyEntry[],
): WorkerAccounts {
  const { adminKey, onStoreLoss, keepRecords, keepHours, keepAudit } = settings
  const store = createCloudflareStore({ namespace, waitUntil })
  const onFailed = createFailureNotes(store, complain)
  const { keys, stages } = createWorkerAccounts({
    store,
    waitUntil,
    keys: createMemoryKeys([...entries, ...adminOf(adminKey)]),
    onLoss: onStoreLoss,
    retention: { records: keepRecords, hours: keepHours, audit: keepAudit },
    onFailed,
  })
  const admin = createAdmin({ store, keys, onError: onFailed })
  const generation = createGenerations({ store, keys, onError: onFailed })
  return { keys, stages, admin, generation }
}

/** It may not call models. An operator who needs a key for both can make one with it. */
function adminOf(secret: string | undefined): readonly KeyEntry[] {
  return secret === undefined ? [] : [{ id: 'admin', secret, admin: true, inference: false }]
}
