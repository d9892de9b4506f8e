export { isAway } from './errors.ts'
export { openPostgresStore, openPostgresStore as openStore, type PostgresStoreOptions } from './open-store.ts'
