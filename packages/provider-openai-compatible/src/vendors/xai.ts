import { BEARER, effortQuirks, factoryOf, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { modelsOf } from '../models.ts'

/** Does not include reasoning in the completion tokens; errors can have status 200. */
export const xai: ProviderDefinition = {
  name: 'x-ai',
  issuer: 'xai',
  baseURL: 'https://api.x.ai/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: variablesOf['x-ai'],
  list: './models',
  models: modelsOf['x-ai'],
  quirks: {
    chat: [
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      {
        verb: 'drop',
        at: [
          'settings.stop',
          'settings.presencePenalty',
          'settings.frequencyPenalty',
          'extras.chat.search_parameters',
          'tools.*.schema.value.additionalProperties',
        ],
        because: 'refuses it',
      },
      { verb: 'clamp', at: 'settings.logprobs', max: 8 },
    ],
  },
  dialects: { chat: { usage: { reasoning: 'beside' } } },
  extensions: { chat: { allowedTools: false, history: 'reasoning_content', user: 'user' } },
}

export const createXai = factoryOf(xai)
