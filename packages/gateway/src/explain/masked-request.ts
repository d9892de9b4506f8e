import type { Target } from '@dragoman/core'
import { joinBody, type Fields, type Outbound, type Redact } from '@dragoman/core/provider'
import { redactOf } from '../models/route-facts.ts'
import { decodeText } from '../ports/collect.ts'
import type { Route } from '../models/route.ts'
import type { ExplainedRequest } from './explanation.ts'

/** Stands for values that a provider adds. */
const MASK = '[masked]'
/** Set by providers, and never secret. */
const OPEN_HEADER = 'content-type'

/** The request that an upstream would get, without secrets. The keys of the provider do not rotate. */
export function maskedRequest(
  { provider, protocol }: Route,
  target: Target,
  outbound: Outbound,
): ExplainedRequest & { readonly body: string } {
  const call = provider.call(protocol.name, target, { ...outbound, key: 0 })
  const redact = redactOf({ provider })
  const body = call.body === undefined ? '' : joinBody(call.body)
  const text = typeof body === 'string' ? body : decodeText(body)
  return {
    method: call.method,
    url: redact(maskUrl(call.url, target)),
    headers: maskHeaders(call.headers, { ...outbound.headers, ...target.headers }, redact),
    body: call.body === outbound.body ? text : redact(text),
    bytes: typeof body === 'string' ? new TextEncoder().encode(body).length : body.length,
  }
}

/** Only values that the gateway itself has given to the provider are shown. */
function maskHeaders(headers: Fields, given: Fields, redact: Redact): Fields {
  const show = (name: string, value: string): string =>
    name.toLowerCase() === OPEN_HEADER || given[name] === value ? redact(value) : MASK
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, show(name, value)]))
}

/** Without a user name and a password, and without values of the query that the target does not have. */
function maskUrl(url: string, target: Target): string {
  const [address = '', query] = url.split('#', 1)[0]?.split(/\?(.*)/s) ?? []
  const open = address.replace(/^([a-z]+:\/\/)[^/]*@/i, `$1${MASK}@`)
  if (query === undefined) return open
  const given = target.path.split(/\?(.*)/s)[1]?.split('&') ?? []
  const pairs = query
    .split('&')
    .map((pair) => (given.includes(pair) ? pair : pair.replace(/^([^=]*=)?.*/s, `$1${MASK}`)))
  return `${open}?${pairs.join('&')}`
}
