import type { SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { passOverContinue } from './pass-over-continue.ts'
import { proxyFor, type Proxies } from './proxies.ts'
import { loadPool, loadProxyAgent } from './undici-parts.ts'

/** What lies between this machine and its upstreams. */
export interface Surroundings {
  /** Absent: every upstream is reached directly. */
  readonly proxies?: Proxies | undefined
  /** Certificates in PEM of authorities that are trusted beside the ones that Node knows. */
  readonly authorities?: readonly string[] | undefined
}

export interface ConnectOptions {
  readonly connections: number | null
  /** Milliseconds that an unused connection is kept. */
  readonly keepAliveMs: number
  /** Milliseconds to a connection, the tunnel through a proxy included. */
  readonly connectMs: number
}

/** Makes the dispatcher of an origin: a pool of its own, or an agent that goes through a proxy. */
export function createConnect({ proxies = {}, authorities = [] }: Surroundings) {
  const secureContext = trusting(authorities)
  return (origin: string, { connections, keepAliveMs, connectMs }: ConnectOptions): Dispatcher => {
    const socket = { timeout: connectMs, ...(secureContext === undefined ? {} : { secureContext }) }
    const options = { connections, pipelining: 1, keepAliveTimeout: keepAliveMs, allowH2: false }
    const uri = proxyFor(proxies, origin)
    const Pool = loadPool()
    if (uri === undefined) return passOverContinue(new Pool(origin, { ...options, connect: socket }))
    const ProxyAgent = loadProxyAgent()
    return new ProxyAgent({
      ...options,
      uri,
      requestTls: socket,
      proxyTls: socket,
      factory: (target, settings) => passOverContinue(new Pool(target, settings)),
      // A proxy that takes the call and says nothing is a connection that does not come about.
      clientFactory: (proxy, settings) => new Pool(proxy, { ...settings, headersTimeout: connectMs }),
    })
  }
}

/** One context for all connections: to read the certificates anew for each would cost more than the handshake. */
function trusting(authorities: readonly string[]): SecureContext | undefined {
  if (authorities.length === 0) return undefined
  // Only here: to import the module is to read every certificate that Node brings.
  const tls = process.getBuiltinModule('node:tls')
  // Among the default ones is what `NODE_EXTRA_CA_CERTS` names, where Node can say so.
  const known = typeof tls.getCACertificates === 'function' ? tls.getCACertificates('default') : tls.rootCertificates
  return tls.createSecureContext({ ca: [...known, ...authorities] })
}
