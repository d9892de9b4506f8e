import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { createVllm, fromEnvironment } from '../index.ts'
import { FLAT_ERRORS } from '../../test/answer-cases.ts'

describeProvider('vllm', {
  create: createVllm,
  auth: { ...BEARER, optional: true },
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions', messages: '/v1/messages' },
  listPath: '/v1/models',
  environment: { key: 'VLLM_API_KEY', baseURL: 'VLLM_BASE_URL', enable: fromEnvironment },
  answers: FLAT_ERRORS,
  requests: [
    {
      title: 'names the token limit max_tokens',
      protocol: 'chat',
      asks: { max_completion_tokens: 100 },
      sees: { max_tokens: 100 },
      lacks: ['max_completion_tokens'],
    },
    {
      title: 'removes members of tools that it refuses',
      protocol: 'chat',
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
      },
      lacks: ['tools.0.function.strict', 'tools.0.function.parameters.additionalProperties'],
      losses: ['dropped tools.0.strict', 'dropped tools.0.schema.value.additionalProperties'],
    },
  ],
})
