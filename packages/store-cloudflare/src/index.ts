export { AccountsObject, type AccountsBindings } from './accounts-object.ts'
export type { D1, D1Statement } from './archive/d1.ts'
export { createCloudflareStore, type CloudflareStoreOptions } from './cloudflare-store.ts'
export type {
  ObjectResponse,
  ObjectCursor,
  ObjectNamespace,
  ObjectRequest,
  ObjectState,
  ObjectStorage,
  WaitUntil,
} from './platform.ts'
export { createWorkerAccounts, type WorkerAccountsOptions } from './worker-accounts.ts'
