export type { ConnectOptions, Surroundings } from './connect.ts'
export { createNodeHandler, type NodeDoorOptions } from './node-door.ts'
export { readProxies, type Proxies } from './proxies.ts'
export { createUndiciTransport, type UndiciTransport, type UndiciTransportOptions } from './undici-transport.ts'
