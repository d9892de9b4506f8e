import { parseAddress } from './address.ts'
import type { AllowList } from './allow-list.ts'
import type { Failing } from './failing.ts'
import { isGlobal } from './global-address.ts'

/** The rules for URLs. */
export interface UrlRules {
  readonly allow: AllowList
  /** Whether `http:` may be used for all hosts; otherwise only for those that are allowed. */
  readonly http: boolean
}

/**
 * Checks everything that a URL itself says. The parser has read every notation of an address before: decimal, octal, hexadecimal,
 * shortened, full-width, percent-encoded.
 */
export function checkUrl(text: string, rules: UrlRules, failing: Failing): URL {
  const url = parseUrl(text, failing)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw failing('scheme')
  if (url.username !== '' || url.password !== '') throw failing('credentials')
  if (url.port !== '' && Number(url.port) < 1024) throw failing('port')
  const host = hostOf(url)
  if (host === '') throw failing('url')
  const address = parseAddress(host)
  const isAllowed = rules.allow.hasHost(host) || (address !== undefined && rules.allow.hasAddress(address))
  if (url.protocol === 'http:' && !rules.http && !isAllowed) throw failing('scheme')
  if (address !== undefined && !isAllowed && !isGlobal(address)) throw failing('address')
  return url
}

/** Checks the addresses that a name was resolved to. One wrong address is enough to refuse it. */
export function checkAddresses(url: URL, addresses: readonly string[], { allow }: UrlRules, failing: Failing): void {
  const isRight = (text: string): boolean => {
    const address = parseAddress(text)
    return address !== undefined && (isGlobal(address) || allow.hasAddress(address) || allow.hasHost(hostOf(url)))
  }
  if (addresses.length === 0 || !addresses.every(isRight)) throw failing('address')
}

/** Checks a name that cannot be resolved here. */
export function checkName(url: URL, { allow }: UrlRules, failing: Failing): void {
  const host = hostOf(url)
  if (parseAddress(host) !== undefined || allow.hasHost(host)) return
  if (!host.includes('.') || INTERNAL.test(host)) throw failing('address')
}

/** Top-level domains that are never public, by RFC 6761, RFC 6762, RFC 8375, RFC 9476 and ICANN. */
const INTERNAL =
  /\.(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|example|onion|alt)$/

/** The host without brackets and without the dot at its end. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.+)\]$/, '$1').replace(/\.$/, '')
}

function parseUrl(text: string, failing: Failing): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch (cause) {
    throw failing('url', cause)
  }
  url.hash = ''
  // The dot of a complete name would be a part of the name in the handshake.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.$/, '')
  return url
}
