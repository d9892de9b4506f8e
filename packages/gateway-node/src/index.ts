export { createNodeHandler, type NodeDoorOptions } from './node-door.ts'
export { createUndiciTransport, type UndiciTransport, type UndiciTransportOptions } from './undici-transport.ts'
