export type { Clock } from '@dragoman/core/provider'
export { createMemoryKeys, type KeyEntry, type MemoryKeys } from './admit.ts'
export { createFindRoute, type AppRoute, type RouteAccess } from './app-routes.ts'
export { authenticate } from './authenticate.ts'
export { addressesOf, createIsCall, ownAddress } from './bases.ts'
export { createBodyRoom, type BodyRoom } from './body-room.ts'
export type { Cors } from './cors.ts'
export { describeEntry } from './describe-entry.ts'
export type { Gateway, Pending, Refusal, Reply } from './door.ts'
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
export { entryText } from './entry-text.ts'
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
export { createManualClock, type ManualClock } from './manual-clock.ts'
export { createFetchTransport, type FetchTransportOptions } from './fetch-transport.ts'
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
} from './ports.ts'
export { createItemMemory, type ItemMemory, type ItemMemoryOptions } from './memory/item-memory.ts'
export { createModels, type Models } from './resolve.ts'
export type { Report, Watcher } from './report.ts'
export type { ModelName, Route } from './route.ts'
export type { Estimate } from './routing/estimate.ts'
export { createRouteMemory, type RouteMemory } from './routing/routing.ts'
export {
  COMPLEXITIES,
  FACTORS,
  ON_LOSS,
  ROUTE_TYPES,
  type AliasOptions,
  type AliasRoute,
  type Conditions,
  type RoutePolicy,
} from './routing/policy.ts'
export type { AnswerHead, CallEnd, ReadCall, RoutedCall, Stage, StageCall, StageRoute } from './stages/stage.ts'
export type { GatewayLimits, GatewayOptions } from './settings.ts'
export type { Offload } from './bodies/offload.ts'
export { createOffload, type BorrowedThread, type OffloadOptions } from './threads/remote-work.ts'
export { createWorkServer, type Delivery, type WorkServer } from './threads/work-server.ts'
export type { Answered, Asked, Order } from './threads/orders.ts'
export { errorOf, plainError, type PlainError } from './threads/plain-error.ts'
