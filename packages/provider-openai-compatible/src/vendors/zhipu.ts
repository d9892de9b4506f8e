import { BEARER, factoryOf, MAX_TOKENS, THINKING_TYPE, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { modelsOf } from '../models.ts'

/** GLM. Chooses tools itself; has JSON mode but no schemas; no model list. */
export const zhipu: ProviderDefinition = {
  name: 'z-ai',
  issuer: 'zhipu',
  baseURL: 'https://api.z.ai/api/paas/v4',
  endpoints: { chat: '.', messages: '/api/anthropic' },
  auth: BEARER,
  environment: variablesOf['z-ai'],
  models: modelsOf['z-ai'],
  quirks: {
    chat: [
      MAX_TOKENS,
      {
        verb: 'default',
        at: 'reasoning.on',
        to: true,
        when: 'reasoning.budget',
        because: 'has reasoning on or off, without an amount',
      },
      ...THINKING_TYPE,
      {
        verb: 'drop',
        at: ['reasoning.effort', 'reasoning.budget'],
        because: 'has reasoning on or off, without an amount',
      },
      { verb: 'clamp', at: 'settings.topP', max: 0.99 },
      { verb: 'clamp', at: 'settings.temperature', min: 0, max: 1 },
      {
        verb: 'drop',
        at: [
          'settings.presencePenalty',
          'settings.frequencyPenalty',
          'settings.seed',
          'settings.logitBias',
          'settings.logprobs',
          'messages.*.name',
          'tools.*.strict',
        ],
        because: 'does not know it',
      },
      { verb: 'drop', at: 'delivery.usage', because: 'counts by itself' },
      { verb: 'drop', at: 'tools', when: { 'toolChoice.mode': 'none' }, because: 'calls tools whenever it has them' },
      { verb: 'drop', at: 'toolChoice.names', because: 'chooses tools itself' },
      { verb: 'replace', at: 'toolChoice.mode', values: { required: 'auto' }, because: 'chooses tools itself' },
      {
        verb: 'default',
        at: 'extras.chat.tool_stream',
        to: true,
        when: ['tools', { 'delivery.stream': true }],
        because: 'holds arguments back otherwise',
      },
      { verb: 'instruct', at: 'output.schema.value', text: 'Answer with JSON that satisfies this JSON Schema: {}' },
      { verb: 'drop', at: ['output.schema', 'output.name', 'output.strict', 'output.description'] },
    ],
  },
  dialects: { chat: { finish: { sensitive: 'content-filter', network_error: 'error' } } },
  extensions: {
    chat: { candidates: false, history: 'reasoning_content', reasoning: 'object', serving: [], user: 'user_id' },
  },
}

export const createZhipu = factoryOf(zhipu)
