import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { passOverContinue } from './pass-over-continue.ts'
import { proxyFor, type Proxies } from './proxies.ts'
import { loadPool, loadProxyAgent } from './undici-parts.ts'

/** The network between this machine and its upstreams. */
export interface Surroundings {
  /** Absent if every upstream is called directly. */
  readonly proxies?: Proxies | undefined
  /** Certificates of authorities in PEM that are trusted in addition to Node's own. */
  readonly authorities?: readonly string[] | undefined
}

export interface ConnectOptions {
  readonly connections: number | null
  /** How long an idle connection is kept, in milliseconds. */
  readonly keepAliveMs: number
  /** Milliseconds to connect, with the tunnel through a proxy. */
  readonly connectMs: number
  /** Resolves names, without a proxy; by default the operating system. */
  readonly lookup?: LookupFunction | undefined
}

/** Creates the dispatcher of an origin: a pool, or an agent that uses a proxy. */
export function createConnect({ proxies = {}, authorities = [] }: Surroundings) {
  const secureContext = trusting(authorities)
  return (origin: string, { connections, keepAliveMs, connectMs, lookup }: ConnectOptions): Dispatcher => {
    const socket = { timeout: connectMs, ...(secureContext === undefined ? {} : { secureContext }) }
    const direct = lookup === undefined ? socket : { ...socket, lookup }
    const options = { connections, pipelining: 1, keepAliveTimeout: keepAliveMs, allowH2: false }
    const uri = proxyFor(proxies, origin)
    const Pool = loadPool()
    if (uri === undefined) return passOverContinue(new Pool(origin, { ...options, connect: direct }))
    const ProxyAgent = loadProxyAgent()
    return new ProxyAgent({
      ...options,
      uri,
      requestTls: socket,
      proxyTls: socket,
      factory: (target, settings) => passOverContinue(new Pool(target, settings)),
      // A proxy that accepts the connection and does not answer counts as a failed connection.
      clientFactory: (proxy, settings) => new Pool(proxy, { ...settings, headersTimeout: connectMs }),
    })
  }
}

/** One context for all connections: reading the certificates for each would cost more than the handshake. */
function trusting(authorities: readonly string[]): SecureContext | undefined {
  if (authorities.length === 0) return undefined
  // Loaded here, because importing the module reads all of Node's certificates.
  const tls = process.getBuiltinModule('node:tls')
  // The default ones include `NODE_EXTRA_CA_CERTS`, in Node versions that can list them.
  const known = typeof tls.getCACertificates === 'function' ? tls.getCACertificates('default') : tls.rootCertificates
  return tls.createSecureContext({ ca: [...known, ...authorities] })
}
