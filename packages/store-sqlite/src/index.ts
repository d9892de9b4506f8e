export {
  openSqliteStore,
  openSqliteStore as openStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from './node/sqlite-store.ts'
