export type { Clock } from '@dragoman/core/provider'
export { createMemoryKeys, type KeyEntry, type MemoryKeys } from './callers/admit.ts'
export { createFindRoute, type AppRoute, type RouteAccess } from './app-routes.ts'
export { authenticate } from './callers/authenticate.ts'
export { addressesOf, createIsCall, ownAddress } from './ports/bases.ts'
export { createBodyRoom, type BodyRoom } from './call/body-room.ts'
export type { Cors } from './ports/cors.ts'
export { describeEntry } from './metering/describe-entry.ts'
export type { Gateway, Pending, Refusal, Reply } from './call/door.ts'
export { checkAddresses, hostOf, type UrlRules } from './downloads/check-url.ts'
export type {
  Downloaded,
  DownloadOptions,
  Downloads,
  Refreshed,
  RefreshingDownloads,
  RefreshOptions,
} from './downloads/downloads.ts'
export type { AllowList } from './downloads/allow-list.ts'
export type { Failing, Fault } from './downloads/failing.ts'
export { createFetchDownloads, type FetchDownloadsOptions } from './downloads/fetch-downloads.ts'
export {
  guardDownloads,
  type GuardOptions,
  type OpenedHost,
  type OpenHost,
  type Opening,
} from './downloads/guard-downloads.ts'
export { createEntryText, entryText } from './metering/entry-text.ts'
export { explainCall, type CallToExplain } from './explain-call.ts'
export type {
  ExplainedError,
  ExplainedLoss,
  ExplainedPrice,
  ExplainedRequest,
  ExplainedRoute,
  Explanation,
  LostCache,
  SkippedRoute,
} from './explain/explanation.ts'
export { createFetchHandler, type FetchDoorOptions } from './fetch-door.ts'
export { createManualClock, type ManualClock } from './ports/manual-clock.ts'
export { createFetchTransport, type FetchTransportOptions } from './ports/fetch-transport.ts'
export { createGateway } from './gateway.ts'
export type { BreakerState } from './health/health.ts'
export {
  createMemoryLedger,
  createMemoryLog,
  systemClock,
  timedId,
  type Attempt,
  type Caller,
  type Keys,
  type Ledger,
  type Log,
  type LogEntry,
  type Outcome,
  type UsageRecord,
} from './ports/ports.ts'
export { createItemMemory, type ItemMemory, type ItemMemoryOptions } from './memory/item-memory.ts'
export { createModels, type Models } from './routing/resolve.ts'
export type { Report, Watcher } from './ports/report.ts'
export type { ModelName, Route } from './models/route.ts'
export type { Estimate } from './routing/estimate.ts'
export { createRouteMemory, type RouteMemory } from './health/routing.ts'
export {
  COMPLEXITIES,
  FACTORS,
  ON_LOSS,
  ROUTE_TYPES,
  type AliasOptions,
  type AliasRoute,
  type Conditions,
  type RoutePolicy,
} from './ports/policy.ts'
export type { AnswerHead, CallEnd, ReadCall, RoutedCall, Stage, StageCall, StageRoute } from './call/stage.ts'
export type { GatewayLimits, GatewayOptions } from './call/settings.ts'
export type { Offload } from './bodies/offload.ts'
export { createOffload, type BorrowedThread, type OffloadOptions } from './threads/remote-work.ts'
export { createWorkServer, type Delivery, type WorkServer } from './threads/work-server.ts'
export type { OrderResult, SentOrder, Order } from './threads/orders.ts'
export { errorOf, plainError, type PlainError } from './threads/plain-error.ts'
