import { BEARER, type Auth, type ProviderDefinition } from '@dragoman/core/provider'
import type { ProviderConfig } from './config/schema.ts'
import { loadDefinition } from './known-providers.ts'

/** The definition of a provider that exists only in the configuration file; undefined if its `like` is unknown. */
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
    auth: { ...auth, optional: true },
  }
}

/** Assumptions about an unknown upstream. */
async function unknownModel({ baseURL, endpoints = {} }: ProviderConfig): Promise<ProviderDefinition> {
  const { compatible } = await import('@dragoman/provider-openai-compatible')
  const [first = ''] = Object.keys(endpoints)
  return {
    ...compatible,
    auth: Object.hasOwn(AUTH_OF, first) ? AUTH_OF[first] : BEARER,
    // Relative to a base URL that may be absent.
    list: baseURL === undefined ? undefined : compatible.list,
  }
}

/** The header for the key at the protocol's own vendor. */
const AUTH_OF: { readonly [protocol: string]: Auth } = {
  messages: { header: 'x-api-key' },
  genai: { header: 'x-goog-api-key' },
}
