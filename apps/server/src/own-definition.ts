import { BEARER, type Auth, type ProviderDefinition } from '@dragoman/core'
import type { ProviderConfig } from './config/schema.ts'
import { loadDefinition } from './known-providers.ts'

/** A provider that is known by nothing but its entry in the configuration file; undefined if it is like nobody. */
export async function ownDefinition(name: string, entry: ProviderConfig): Promise<ProviderDefinition | undefined> {
  const model = entry.like === undefined ? await unknownModel(entry) : await loadDefinition(entry.like)
  if (model === undefined) return undefined
  const { endpoints = model.endpoints, auth = model.auth ?? BEARER } = entry
  return {
    ...model,
    name,
    issuer: name,
    models: [],
    environment: undefined,
    endpoints,
    auth: { header: auth.header, ...(auth.prefix === undefined ? {} : { prefix: auth.prefix }), optional: true },
  }
}

/** What can be taken for granted of an upstream that is like none of the known ones. */
async function unknownModel({ baseURL, endpoints = {} }: ProviderConfig): Promise<ProviderDefinition> {
  const { compatible } = await import('@dragoman/provider-openai-compatible')
  const [first = ''] = Object.keys(endpoints)
  return {
    ...compatible,
    auth: Object.hasOwn(AUTH_OF, first) ? AUTH_OF[first] : BEARER,
    // A reference from a base URL that need not be there.
    list: baseURL === undefined ? undefined : compatible.list,
  }
}

/** Where a protocol's own service expects the key. */
const AUTH_OF: { readonly [protocol: string]: Auth } = {
  messages: { header: 'x-api-key' },
  genai: { header: 'x-goog-api-key' },
}
