import type { Dispatcher } from 'undici'
import { loadSymbols } from './undici-parts.ts'

/** What undici keeps behind its symbols: the parser of the answers of one connection. */
interface Client {
  readonly [symbol: symbol]: { readonly [symbol: symbol]: Parser | undefined } | undefined
}

interface Parser {
  onHeadersComplete(status: number, upgrade: boolean, keepAlive: boolean): number
}

/**
 * Lets the connections of a pool pass over a `100 Continue` that nobody asked for. Undici (8.12) closes a connection that sends
 * one, but passes over every other interim answer: so it is shown a 102 in its place.
 */
export function passOverContinue<Pool extends Dispatcher>(pool: Pool): Pool {
  const { kSocket, kParser } = loadSymbols()
  return pool.on('connect', (_origin, targets) => {
    const client = targets.at(-1) as Client | undefined // the list ends with the connection's own client
    const parser = client?.[kSocket]?.[kParser]
    if (parser === undefined) return
    const complete = parser.onHeadersComplete.bind(parser)
    parser.onHeadersComplete = (status, upgrade, keepAlive) =>
      complete(status === 100 ? 102 : status, upgrade, keepAlive)
  })
}
