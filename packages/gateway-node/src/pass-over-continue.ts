import type { Dispatcher } from 'undici'
import { loadSymbols } from './undici-parts.ts'

/** Internal members of undici: the response parser of one connection. */
interface Client {
  readonly [symbol: symbol]: { readonly [symbol: symbol]: Parser | undefined } | undefined
}

interface Parser {
  onHeadersComplete(status: number, upgrade: boolean, keepAlive: boolean): number
}

/**
 * Makes the connections of a pool ignore an unexpected `100 Continue`. Undici (8.12) closes such a connection, but ignores every other
 * interim response, so the status is replaced by 102.
 */
export function passOverContinue<Pool extends Dispatcher>(pool: Pool): Pool {
  const { kSocket, kParser } = loadSymbols()
  return pool.on('connect', (_origin, targets) => {
    const client = targets.at(-1) as Client | undefined // the last entry of the list is the client of the connection
    const parser = client?.[kSocket]?.[kParser]
    if (parser === undefined) return
    const complete = parser.onHeadersComplete.bind(parser)
    parser.onHeadersComplete = (status, upgrade, keepAlive) =>
      complete(status === 100 ? 102 : status, upgrade, keepAlive)
  })
}
