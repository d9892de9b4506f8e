import { BEARER, effortQuirks, factoryOf, MAX_TOKENS, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'

/** Local models; a key only if one was set up. */
export const lmstudio: ProviderDefinition = {
  name: 'lmstudio',
  issuer: 'lmstudio',
  baseURL: 'http://localhost:1234/v1',
  endpoints: { chat: '.', messages: '..' },
  auth: { ...BEARER, optional: true },
  environment: variablesOf.lmstudio,
  list: './models',
  models: [],
  urls: { chat: false, messages: false },
  quirks: {
    chat: [
      MAX_TOKENS,
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      { verb: 'drop', at: ['tools.*.strict', 'tools.*.schema.value.additionalProperties'], because: 'refuses it' },
    ],
  },
  extensions: { chat: { allowedTools: false, candidates: false, history: 'reasoning', serving: [], user: 'user' } },
}

export const createLmStudio = factoryOf(lmstudio)
