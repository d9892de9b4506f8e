import { BEARER, defineProvider, type Provider, type ProviderDefinition, type ProviderOptions } from '@dragoman/core'

/** Many vendors' models behind one key; takes cache marks and the `reasoning` object; its model list is open, so health asks for the key. */
export const openrouter = {
  name: 'openrouter',
  issuer: 'openrouter',
  baseURL: 'https://openrouter.ai/api/v1',
  endpoints: { chat: '.', messages: '..' },
  auth: BEARER,
  environment: { keys: 'OPENROUTER_API_KEY', baseURL: 'OPENROUTER_BASE_URL' },
  list: './models',
  health: './auth/key',
  models: [],
  quirks: {
    chat: [{ verb: 'replace', at: 'reasoning.effort', values: { max: 'xhigh' }, because: 'has no such effort' }],
  },
  extensions: { chat: { allowedTools: false, cache: true } },
} satisfies ProviderDefinition

export function createOpenRouter(options: ProviderOptions = {}): Provider {
  return defineProvider(openrouter, options)
}
