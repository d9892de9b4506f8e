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

const CHAT = ['chat', 'messages']

/** Its Responses API keeps nothing, encrypts nothing, and has one model (2026-08). */
const PROTOCOLS_OF: { readonly [model: string]: readonly string[] } = {
  'deepseek-v4-flash': [...CHAT, 'responses'],
}

/** Thinks by default; requires its own reasoning again after tool calls; has JSON mode but no schemas. */
export const deepseek: ProviderDefinition = {
  name: 'deepseek',
  issuer: 'deepseek',
  baseURL: 'https://api.deepseek.com',
  endpoints: { chat: '.', messages: './anthropic', responses: '.' },
  auth: BEARER,
  environment: variablesOf.deepseek,
  list: './models',
  models: modelsOf.deepseek.map((card) => ({ ...card, protocols: PROTOCOLS_OF[card.name] ?? CHAT })),
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
        at: ['settings.topK', 'extras.messages.container', 'extras.messages.mcp_servers', 'serviceTier'],
        because: 'ignores it',
      },
    ],
    responses: EFFORTS,
  },
  dialects: { chat: { usage: { cached: 'prompt_cache_hit_tokens' } } },
  extensions: {
    chat: {
      allowedTools: false,
      candidates: false,
      history: 'reasoning_content',
      reasoning: 'object',
      serving: [],
      user: 'user_id',
    },
    responses: { tools: ['function'] },
  },
}

export const createDeepSeek = factoryOf(deepseek)
