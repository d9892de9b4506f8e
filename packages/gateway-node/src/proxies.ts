import { DragomanError } from '@dragoman/core'

/** The proxies for upstreams. Their URLs may contain passwords, so they are never shown. */
export interface Proxies {
  /** For `http:` upstreams. */
  readonly http?: string | undefined
  /** For `https:` upstreams, through a tunnel. */
  readonly https?: string | undefined
  /** Hosts without a proxy, in the format of `NO_PROXY`. */
  readonly except?: string | undefined
}

/** Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; lower-case names take precedence, as in curl. */
export function readProxies(environment: { readonly [name: string]: string | undefined }): Proxies {
  const read = (name: string): string | undefined =>
    environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || undefined
  return {
    http: checkProxy('HTTP_PROXY', read('HTTP_PROXY')),
    https: checkProxy('HTTPS_PROXY', read('HTTPS_PROXY')),
    except: read('NO_PROXY'),
  }
}

/** The proxy for an origin; undefined if there is none. Loopback addresses never use a proxy. */
export function proxyFor({ http, https, except = '' }: Proxies, origin: string): string | undefined {
  const { protocol, hostname, port } = new URL(origin)
  const proxy = protocol === 'https:' ? https : http
  if (proxy === undefined) return undefined
  const host = hostname.replace(/^\[(.+)\]$/, '$1').replace(/\.$/, '')
  const direct = isLoopback(host) || except.split(/[,\s]+/).some((entry) => covers(entry, host, portOf(protocol, port)))
  return direct ? undefined : proxy
}

/** Without a scheme it is http. The error message does not contain the URL. */
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

/** `*`, a host, or a domain with its subdomains, each optionally with a port. */
function covers(entry: string, host: string, port: string): boolean {
  const text = entry.toLowerCase()
  // More than one colon without brackets means an IPv6 address.
  const [, bracketed, plain, only] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [undefined, undefined, text]
  const name = (bracketed ?? plain ?? '').replace(/^\*?\./, '').replace(/\.$/, '')
  if (name === '' || (only !== undefined && only !== port)) return false
  return name === '*' || host === name || host.endsWith(`.${name}`)
}
