import { DragomanError } from '@dragoman/core'

/** Through which proxy upstreams are reached. A URL may hold a user name and a password, so none is ever shown. */
export interface Proxies {
  /** For `http:` upstreams. */
  readonly http?: string | undefined
  /** For `https:` upstreams, by a tunnel. */
  readonly https?: string | undefined
  /** Hosts that are reached directly, as `NO_PROXY` lists them. */
  readonly except?: string | undefined
}

/** What `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say; lower case counts first, as it does for curl. */
export function readProxies(environment: { readonly [name: string]: string | undefined }): Proxies {
  const read = (name: string): string | undefined =>
    environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || undefined
  return {
    http: checkProxy('HTTP_PROXY', read('HTTP_PROXY')),
    https: checkProxy('HTTPS_PROXY', read('HTTPS_PROXY')),
    except: read('NO_PROXY'),
  }
}

/** The proxy on the way to an origin; undefined is the direct way. Loopback addresses are never anybody else's to reach. */
export function proxyFor({ http, https, except = '' }: Proxies, origin: string): string | undefined {
  const { protocol, hostname, port } = new URL(origin)
  const proxy = protocol === 'https:' ? https : http
  if (proxy === undefined) return undefined
  const host = hostname.replace(/^\[(.+)\]$/, '$1').replace(/\.$/, '')
  const direct = isLoopback(host) || except.split(/[,\s]+/).some((entry) => covers(entry, host, portOf(protocol, port)))
  return direct ? undefined : proxy
}

/** Without a scheme it is http, as everywhere. The URL itself stays out of the message. */
function checkProxy(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = text.includes('://') ? text : `http://${text}`
  if (/^https?:/i.test(url) && URL.canParse(url)) return url
  throw new DragomanError('invalid-request', `${name} must be the http or https URL of a proxy.`, { param: name })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function portOf(protocol: string, port: string): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}

/** `*`, a host, a domain with everything below it, each with a port if only that one is meant. */
function covers(entry: string, host: string, port: string): boolean {
  const text = entry.toLowerCase()
  // With more than one colon and no brackets it is an IPv6 address, all of it.
  const [, bracketed, plain, only] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [undefined, undefined, text]
  const name = (bracketed ?? plain ?? '').replace(/^\*?\./, '').replace(/\.$/, '')
  if (name === '' || (only !== undefined && only !== port)) return false
  return name === '*' || host === name || host.endsWith(`.${name}`)
}
