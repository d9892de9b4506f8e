import { BEARER, factoryOf, THINKING_TYPE, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { modelsOf } from '../models.ts'

/** Kimi. Sampling is fixed by the platform; usage can be in the choice. */
export const moonshot: ProviderDefinition = {
  name: 'moonshotai',
  issuer: 'moonshot',
  baseURL: 'https://api.moonshot.ai/v1',
  endpoints: { chat: '.', messages: '../anthropic' },
  auth: BEARER,
  environment: variablesOf.moonshotai,
  list: './models',
  models: modelsOf.moonshotai,
  quirks: {
    chat: [
      {
        verb: 'default',
        at: 'reasoning.on',
        to: true,
        when: 'reasoning.budget',
        because: 'needs reasoning switched on beside the amount',
      },
      { verb: 'clamp', at: 'reasoning.budget', min: 1024 },
      ...THINKING_TYPE,
      { verb: 'rename', at: 'reasoning.max_tokens', to: 'thinking.budget_tokens' },
      { verb: 'drop', at: 'reasoning.effort', because: 'knows no effort' },
      {
        verb: 'drop',
        at: [
          'settings.temperature',
          'settings.topP',
          'settings.candidates',
          'settings.presencePenalty',
          'settings.frequencyPenalty',
        ],
        because: 'fixes it itself',
      },
      { verb: 'drop', at: ['settings.seed', 'settings.logitBias', 'output.schema.value.$schema'] },
      {
        verb: 'drop',
        at: 'toolChoice.names',
        unless: { 'reasoning.on': false },
        because: 'cannot be forced while it thinks',
      },
      {
        verb: 'replace',
        at: 'toolChoice.mode',
        values: { required: 'auto' },
        unless: { 'reasoning.on': false },
        because: 'cannot be forced while it thinks',
      },
    ],
  },
  dialects: { chat: { usage: { cached: 'cached_tokens', at: 'choice' } } },
  extensions: { chat: { history: 'reasoning_content', reasoning: 'object', serving: ['prompt_cache_key'] } },
}

export const createMoonshot = factoryOf(moonshot)
