import {
  BEARER,
  defineProvider,
  effortQuirks,
  MAX_TOKENS,
  type Provider,
  type ProviderDefinition,
  type ProviderOptions,
} from '@dragoman/core'

/** Open models; which of them an account has is for its operator to say. */
export const together = {
  name: 'together',
  issuer: 'together',
  baseURL: 'https://api.together.xyz/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: { keys: 'TOGETHER_API_KEY', baseURL: 'TOGETHER_BASE_URL' },
  list: './models',
  models: [],
  quirks: {
    chat: [
      MAX_TOKENS,
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      { verb: 'rename', at: 'response_format.json_schema.schema', to: 'response_format.schema' },
    ],
  },
  extensions: { chat: { allowedTools: false, history: 'reasoning_content' } },
} satisfies ProviderDefinition

export function createTogether(options: ProviderOptions = {}): Provider {
  return defineProvider(together, options)
}
