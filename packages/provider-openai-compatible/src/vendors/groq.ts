import { BEARER, effortQuirks, factoryOf, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { modelsOf } from '../models.ts'

/** Open models on its own hardware; reasoning is in `reasoning`. */
export const groq: ProviderDefinition = {
  name: 'groq',
  issuer: 'groq',
  baseURL: 'https://api.groq.com/openai/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: variablesOf.groq,
  list: './models',
  models: modelsOf.groq,
  /** The models that a compound system uses. */
  choosers: { chat: ['compound_custom'] },
  quirks: {
    chat: [
      {
        verb: 'replace',
        at: 'reasoning.on',
        values: { false: 'low' },
        as: 'reasoning.effort',
        because: 'cannot stop thinking',
      },
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high', none: 'low' }),
      {
        verb: 'drop',
        at: ['settings.logprobs', 'settings.logitBias', 'messages.*.name'],
        because: 'refuses it',
      },
    ],
  },
  extensions: { chat: { allowedTools: false, candidates: false, history: 'reasoning', serving: [], user: 'user' } },
}

export const createGroq = factoryOf(groq)
