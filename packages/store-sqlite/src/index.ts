export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './node/sqlite-store.ts'
