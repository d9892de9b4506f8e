import { BEARER, effortQuirks, factoryOf, MAX_TOKENS, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'

/** Open models; the operator lists those of the account. */
export const together: ProviderDefinition = {
  name: 'together',
  issuer: 'together',
  baseURL: 'https://api.together.xyz/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: variablesOf.together,
  list: './models',
  models: [],
  quirks: {
    chat: [
      MAX_TOKENS,
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      { verb: 'rename', at: 'response_format.json_schema.schema', to: 'response_format.schema' },
    ],
  },
  extensions: { chat: { allowedTools: false, history: 'reasoning_content', serving: [], user: 'user' } },
}

export const createTogether = factoryOf(together)
