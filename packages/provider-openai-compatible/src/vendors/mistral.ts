import {
  BEARER,
  effortQuirks,
  factoryOf,
  MAX_TOKENS,
  type Card,
  type ProviderDefinition,
} from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { embeddingsOf } from '../embeddings.ts'
import { modelsOf } from '../models.ts'

const THOUGHTLESS: Partial<Card> = {
  quirks: { chat: [{ verb: 'drop', at: 'reasoning', because: 'does not think' }] },
}

/** Its largest model has no `n`, as the others do (2026-11). */
const ANSWERS_ONCE: Partial<Card> = { extensions: { chat: { candidates: false } } }

/** Reasoning is in parts of the content; tool calls come whole, without an index. */
export const mistral: ProviderDefinition = {
  name: 'mistralai',
  issuer: 'mistral',
  baseURL: 'https://api.mistral.ai/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: variablesOf.mistralai,
  list: './models',
  models: [
    ...modelsOf.mistralai.map((card: Card) => ({
      ...card,
      ...(card.reasoning === undefined ? THOUGHTLESS : {}),
      ...(card.name === 'mistral-large-2512' ? ANSWERS_ONCE : {}),
    })),
    ...embeddingsOf.mistralai,
  ],
  quirks: {
    chat: [
      MAX_TOKENS,
      { verb: 'rename', at: 'seed', to: 'random_seed' },
      ...effortQuirks({ minimal: 'high', low: 'high', medium: 'high', xhigh: 'high', max: 'high' }),
      { verb: 'drop', at: ['settings.logprobs', 'settings.logitBias'], because: 'does not know it' },
      { verb: 'drop', at: 'delivery.usage', because: 'counts by itself' },
      { verb: 'drop', at: 'toolChoice.names', because: 'cannot be forced to call one tool' },
      { verb: 'rename', at: 'tool_choice', values: { required: 'any' } },
    ],
  },
  dialects: { chat: { usage: { cached: 'num_cached_tokens' }, finish: { model_length: 'length' } } },
  extensions: { chat: { history: 'none', serving: ['prompt_cache_key'], user: false } },
}

export const createMistral = factoryOf(mistral)
