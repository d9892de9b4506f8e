import { lookup, Resolver } from 'node:dns/promises'

/**
 * All addresses of a name. Names of callers are resolved without the threads of `lookup`, which has few of them: slow names would
 * stop all other lookups. Names of the operator may be in the local table of hosts, which only `lookup` reads.
 */
export async function resolveAll(host: string, isAllowed: boolean, signal: AbortSignal): Promise<readonly string[]> {
  if (isAllowed) return (await lookup(host, { all: true })).map(({ address }) => address)
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
