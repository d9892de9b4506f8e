export { guardServer } from './guard-server.ts'
export type { ConnectOptions, Surroundings } from './connect.ts'
export { createDownloads, type DownloadsOptions, type Resolve } from './downloads.ts'
export { createThreadOffload, type ThreadOffload, type ThreadOffloadOptions } from './thread-offload.ts'
export {
  createWorkThreads,
  type OrderResult,
  type SentOrder,
  type WorkThreads,
  type WorkThreadsOptions,
} from './work-threads.ts'
export { createNodeHandler, type NodeDoorOptions } from './node-door.ts'
export { readProxies, type Proxies } from './proxies.ts'
export { createUndiciTransport, type UndiciTransport, type UndiciTransportOptions } from './undici-transport.ts'
