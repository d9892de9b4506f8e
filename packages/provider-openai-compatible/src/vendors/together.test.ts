import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { createTogether, fromEnvironment } from '../index.ts'

describeProvider('together', {
  create: createTogether,
  auth: BEARER,
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions' },
  listPath: '/v1/models',
  environment: { key: 'TOGETHER_API_KEY', baseURL: 'TOGETHER_BASE_URL', enable: fromEnvironment },
  requests: [
    {
      title: 'names the token limit max_tokens',
      protocol: 'chat',
      asks: { max_completion_tokens: 100 },
      sees: { max_tokens: 100 },
      lacks: ['max_completion_tokens'],
    },
    {
      title: 'has no effort xhigh',
      protocol: 'chat',
      asks: { reasoning_effort: 'xhigh' },
      sees: { reasoning_effort: 'high' },
      losses: ['changed reasoning.effort'],
    },
    {
      title: 'has the schema beside the type of the format',
      protocol: 'chat',
      asks: { response_format: { type: 'json_schema', json_schema: { name: 'place', schema: { type: 'object' } } } },
      sees: { response_format: { type: 'json_schema', schema: { type: 'object' } } },
      lacks: ['response_format.json_schema.schema'],
    },
  ],
})
