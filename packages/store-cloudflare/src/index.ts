export { AccountsObject } from './accounts-object.ts'
export { createCloudflareStore, type CloudflareStoreOptions } from './cloudflare-store.ts'
export type {
  ObjectAnswer,
  ObjectCursor,
  ObjectNamespace,
  ObjectRequest,
  ObjectState,
  ObjectStorage,
  WaitUntil,
} from './platform.ts'
export { createWorkerAccounts, type WorkerAccountsOptions } from './worker-accounts.ts'
