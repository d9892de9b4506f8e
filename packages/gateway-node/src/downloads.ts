import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { asDragomanError } from '@dragoman/core'
import {
  checkAddresses,
  guardDownloads,
  hostOf,
  type GuardOptions,
  type Opening,
  type RefreshingDownloads,
} from '@dragoman/gateway'
import { createConnect, type Surroundings } from './connect.ts'
import { resolveAll } from './resolve-all.ts'
import { createUndiciTransport } from './undici-transport.ts'

export interface DownloadsOptions extends GuardOptions, Pick<Surroundings, 'authorities'> {
  /** Resolves a name to all of its addresses. */
  readonly resolve?: Resolve | undefined
}

/** `isAllowed` if the operator has named the host: then it may be in a local table of hosts. */
export type Resolve = (host: string, isAllowed: boolean, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Downloads on Node. A name is resolved once, all of its addresses are checked, and only these are connected to. Every host has a
 * connection of its own, which is closed afterwards. Proxies are not used: they would resolve the name again.
 */
export function createDownloads(options: DownloadsOptions = {}): RefreshingDownloads {
  const { resolve = resolveAll, authorities } = options
  const connect = createConnect({ authorities })
  return guardDownloads(options, async (url, opening) => {
    const { rules, failing, signal } = opening
    const host = hostOf(url)
    const resolving = isIP(host) > 0 ? Promise.resolve([host]) : resolve(host, rules.allow.hasHost(host), signal)
    const addresses = await resolved(resolving, opening)
    checkAddresses(url, addresses, rules, failing)
    const lookup = pinned(addresses)
    return createUndiciTransport({
      connections: 1,
      connect: (origin, given) => connect(origin, { ...given, lookup }),
    })
  })
}

/** The addresses of a name. A resolver may not stop when the download does. */
async function resolved(
  resolving: Promise<readonly string[]>,
  { failing, signal }: Opening,
): Promise<readonly string[]> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(asDragomanError(signal.reason))
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([resolving.catch((cause) => Promise.reject(failing('address', cause))), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Answers with the checked addresses, whatever the name is resolved to by now. */
function pinned(addresses: readonly string[]): LookupFunction {
  const entries: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, done) => {
    const [first] = entries
    if (all === true) done(null, entries)
    else done(null, first?.address ?? '', first?.family)
  }
}
