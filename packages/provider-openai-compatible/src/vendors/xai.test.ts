import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { createXai, fromEnvironment } from '../index.ts'

describeProvider('xai', {
  create: createXai,
  auth: BEARER,
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions' },
  listPath: '/v1/models',
  environment: { key: 'XAI_API_KEY', baseURL: 'XAI_BASE_URL', enable: fromEnvironment },
  model: 'grok-4.5',
  requests: [
    {
      title: 'has no effort minimal',
      protocol: 'chat',
      asks: { reasoning_effort: 'minimal' },
      sees: { reasoning_effort: 'low' },
      losses: ['changed reasoning.effort'],
    },
    {
      title: 'converts a budget to an effort',
      protocol: 'chat',
      from: 'messages',
      asks: { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      sees: { reasoning_effort: 'low' },
      lacks: ['reasoning'],
      losses: ['added reasoning.effort', 'dropped reasoning.budget', 'dropped reasoning.on'],
    },
    {
      title: 'drops members that it refuses',
      protocol: 'chat',
      asks: { stop: 'a', presence_penalty: 1, frequency_penalty: 1, search_parameters: { mode: 'on' } },
      lacks: ['stop', 'presence_penalty', 'frequency_penalty', 'search_parameters'],
      losses: [
        'dropped settings.stop',
        'dropped settings.presencePenalty',
        'dropped settings.frequencyPenalty',
        'dropped extras.chat.search_parameters',
      ],
    },
    {
      title: 'reports eight alternatives per token at most',
      protocol: 'chat',
      asks: { logprobs: true, top_logprobs: 20 },
      sees: { logprobs: true, top_logprobs: 8 },
      losses: ['changed settings.logprobs'],
    },
    {
      title: 'leaves additionalProperties out of tools',
      protocol: 'chat',
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
      },
      lacks: ['tools.0.function.parameters.additionalProperties'],
      losses: ['dropped tools.0.schema.value.additionalProperties'],
    },
  ],
})
