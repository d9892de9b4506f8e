import { BEARER, factoryOf, MAX_TOKENS, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { modelsOf } from '../models.ts'

/** Searches the web for every answer: sources are beside the choices, repeated in every chunk. No tools, no model list. */
export const perplexity: ProviderDefinition = {
  name: 'perplexity',
  issuer: 'perplexity',
  baseURL: 'https://api.perplexity.ai',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: variablesOf.perplexity,
  models: modelsOf.perplexity,
  quirks: {
    chat: [
      MAX_TOKENS,
      { verb: 'drop', at: ['tools', 'toolChoice'], because: 'has no tools' },
      { verb: 'drop', at: 'reasoning', because: 'has no reasoning options' },
      { verb: 'drop', at: ['settings.stop', 'settings.seed', 'settings.logitBias', 'settings.logprobs'] },
      { verb: 'drop', at: 'delivery.usage', because: 'counts by itself' },
    ],
  },
  dialects: { chat: { citations: 'citations', think: 'tags', usage: { reasoning: 'top' } } },
  extensions: { chat: { candidates: false, history: 'none', serving: [], user: false } },
}

export const createPerplexity = factoryOf(perplexity)
