export { isAway } from './errors.ts'
export { openPostgresStore, type PostgresStoreOptions } from './open-store.ts'
