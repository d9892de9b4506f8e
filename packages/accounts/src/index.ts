export { closeRefused, type RefusedCalls, type RefusedMemory } from './calls/refused-calls.ts'
export type { ConfiguredKey } from './calls/terms.ts'
export { createAccounts, type Accounts, type AccountsOptions } from './create-accounts.ts'
export { createFailureNotes } from './failure-notes.ts'
export type { RetentionDays } from './housekeeping.ts'
export {
  createKeyManager,
  type Actor,
  type ChangedKey,
  type KeyManager,
  type KeySettings,
  type NewSecret,
} from './keys/manage-keys.ts'
export { guardKeys } from './keys/guard-keys.ts'
export { checkSecret, createSecret, digestOf, hintOf } from './keys/secret.ts'
export { createMemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export { ADMIN_BASE, GENERATION_PATH, isAdminPath } from './paths.ts'
export * from './store.ts'
