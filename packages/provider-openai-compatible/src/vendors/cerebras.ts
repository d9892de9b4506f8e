import { BEARER, effortQuirks, factoryOf, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { modelsOf } from '../models.ts'

/** Open models on its own hardware; reasoning is in `reasoning` in both directions. */
export const cerebras: ProviderDefinition = {
  name: 'cerebras',
  issuer: 'cerebras',
  baseURL: 'https://api.cerebras.ai/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: variablesOf.cerebras,
  list: './models',
  models: modelsOf.cerebras,
  quirks: {
    chat: [
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      {
        verb: 'drop',
        at: ['settings.presencePenalty', 'settings.frequencyPenalty', 'settings.logitBias'],
        because: 'does not know it',
      },
    ],
  },
  extensions: {
    chat: { allowedTools: false, candidates: false, history: 'reasoning', serving: ['prompt_cache_key'], user: 'user' },
  },
}

export const createCerebras = factoryOf(cerebras)
