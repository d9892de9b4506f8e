import { createFetchTransport, type FetchTransportOptions } from '../ports/fetch-transport.ts'
import { checkName } from './check-url.ts'
import type { RefreshingDownloads } from './downloads.ts'
import { guardDownloads, type GuardOptions } from './guard-downloads.ts'

export interface FetchDownloadsOptions extends GuardOptions, Pick<FetchTransportOptions, 'fetch'> {}

/**
 * Downloads through `fetch`, for runtimes whose network cannot reach private addresses, such as Cloudflare Workers. Addresses in URLs
 * and names of internal networks are refused, but names are resolved by the runtime: elsewhere, use `createDownloads` of
 * `@dragoman/gateway-node`, which checks the addresses of a name too.
 */
export function createFetchDownloads(options: FetchDownloadsOptions = {}): RefreshingDownloads {
  const transport = createFetchTransport(options)
  return guardDownloads(options, (url, { rules, failing }) => {
    checkName(url, rules, failing)
    return transport
  })
}
