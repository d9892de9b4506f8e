import {
  BEARER,
  BUDGET_AS_EFFORT,
  factoryOf,
  MAX_TOKENS,
  THINKING_TYPE,
  type ProviderDefinition,
  type Quirk,
} from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { modelsOf } from '../models.ts'

const EFFORTS: readonly Quirk[] = [
  BUDGET_AS_EFFORT,
  {
    verb: 'replace',
    at: 'reasoning.effort',
    values: { minimal: 'low', medium: 'high', xhigh: 'high' },
    because: 'has no such effort',
  },
]

/** Thinks by default; requires its own reasoning again after tool calls; has JSON mode but no schemas. */
export const deepseek: ProviderDefinition = {
  name: 'deepseek',
  issuer: 'deepseek',
  baseURL: 'https://api.deepseek.com',
  endpoints: { chat: '.', messages: './anthropic' },
  auth: BEARER,
  environment: variablesOf.deepseek,
  list: './models',
  models: modelsOf.deepseek,
  quirks: {
    chat: [
      MAX_TOKENS,
      ...EFFORTS,
      {
        verb: 'drop',
        at: ['settings.temperature', 'settings.presencePenalty', 'settings.frequencyPenalty'],
        unless: { 'reasoning.on': false },
        because: 'ignores it while it thinks',
      },
      { verb: 'drop', at: ['settings.seed', 'settings.logitBias'], because: 'does not know it' },
      { verb: 'instruct', at: 'output.schema.value', text: 'Answer with JSON that satisfies this JSON Schema: {}' },
      { verb: 'drop', at: ['output.schema', 'output.name', 'output.strict', 'output.description'] },
      ...THINKING_TYPE,
    ],
    messages: [
      ...EFFORTS,
      {
        verb: 'drop',
        at: [
          'settings.topK',
          'extras.messages.container',
          'extras.messages.mcp_servers',
          'extras.messages.service_tier',
        ],
        because: 'ignores it',
      },
    ],
  },
  dialects: { chat: { usage: { cached: 'prompt_cache_hit_tokens' } } },
  extensions: { chat: { allowedTools: false, history: 'reasoning_content', reasoning: 'object', user: 'user_id' } },
}

export const createDeepSeek = factoryOf(deepseek)
