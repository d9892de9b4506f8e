export { migrate } from './sql/migrate.ts'
export { createSqlStore, type SqlStore } from './sql/sql-store.ts'
export type { Row, Sql, Value } from './sql/sql.ts'
export type { HourCursor, UsageStep } from './sql/usage.ts'
