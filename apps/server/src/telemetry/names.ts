import type { Attributes } from '@opentelemetry/api'
import { protocols } from '@dragoman/core/protocols'
import { ownAddress, type Attempt } from '@dragoman/gateway'

/** Providers whose name in the GenAI conventions differs from ours. */
const PROVIDER_OF: { readonly [provider: string]: string } = {
  google: 'gcp.gemini',
  mistralai: 'mistral_ai',
  moonshotai: 'moonshot_ai',
  'x-ai': 'x_ai',
}

/** The name of a provider in the GenAI conventions. */
export function providerName(provider: string): string {
  return Object.hasOwn(PROVIDER_OF, provider) ? (PROVIDER_OF[provider] ?? provider) : provider
}

/** The name of an operation in the GenAI conventions. They have none for counting tokens. */
export function operationName(operation: string, protocol: string): string {
  if (operation === 'count') return 'count_tokens'
  if (operation !== 'generate') return operation
  return protocol === 'genai' ? 'generate_content' : 'chat'
}

/** `server.address` and `server.port` of an upstream. */
export function serverOf({ origin }: Attempt): Attributes {
  const { hostname, port, protocol } = new URL(origin)
  return {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  }
}

/** The path of a call under the base of its protocol, with placeholders for names, so that there are few different values. */
export function routeOf(method: string, path: string, protocolName: string): string {
  const protocol = protocols.find(({ name }) => name === protocolName)
  const own = protocol === undefined ? path : ownAddress(protocol, path)
  const named = own.replace(/\/(project|location|publisher)s\/[^/]+/g, '/$1s/{$1}')
  if (method !== 'POST') return named.replace(/\/models\/.+$/, '/models/{model}')
  // A model of a genai path may come without `models` before it.
  return named.replace(/^(.*?\/v1[a-z0-9]*(?:\/[a-z]+\/\{[a-z]+\})*(?:\/models)?)\/.+(:[a-zA-Z]+)$/, '$1/{model}$2')
}
