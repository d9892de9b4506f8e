export {
  correctTokens,
  EMPTY_BUCKET,
  ratesOf,
  takeFrom,
  type Bucket,
  type Rate,
  type Rates,
  type Taken,
} from './store/bucket.ts'
export { cutRecord, NO_TOKENS, type CallRecord, type OpenCall, type TokenCounts } from './store/call-record.ts'
export { lateBatch } from './store/late-batch.ts'
export { packWhole, unpackWhole, type PackedNumbers } from './store/packed-numbers.ts'
export { endOf, periodAt, PERIODS, type Period, type PeriodStart } from './store/period.ts'
export type {
  AuditEntry,
  AuditStore,
  Awaitable,
  Batch,
  BatchResult,
  BodyStore,
  CallStore,
  Granted,
  HeldSlice,
  KeyStore,
  Opening,
  Raise,
  Refused,
  Retention,
  Settlement,
  SliceRequest,
  Store,
  StoredBodies,
  UsageStore,
  Verdict,
} from './store/store.ts'
export { SUM_COLUMNS, sumsOf, type SumColumn } from './store/sum-columns.ts'
export { readTokens } from './store/token-columns.ts'
export { storableText, UnstorableError } from './store/unstorable.ts'
export { SCOPES, type BodyPolicy, type Budgets, type Limits, type Scope, type StoredKey } from './store/stored-key.ts'
export { createUsageFold, MOST_USAGE_ROWS, rowsOf, valuesOf, type UsageFold } from './store/usage-fold.ts'
export { isTime } from './store/usage-order.ts'
export {
  DIMENSIONS,
  type Balance,
  type Dimension,
  type UsagePage,
  type UsageQuery,
  type UsageRow,
} from './store/usage-query.ts'
