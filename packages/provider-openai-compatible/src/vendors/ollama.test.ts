import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { createOllama, fromEnvironment } from '../index.ts'

describeProvider('ollama', {
  create: createOllama,
  auth: { ...BEARER, optional: true },
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions', messages: '/v1/messages' },
  listPath: '/v1/models',
  environment: { key: 'OLLAMA_API_KEY', baseURL: 'OLLAMA_BASE_URL', enable: fromEnvironment },
  requests: [
    {
      title: 'names the token limit max_tokens',
      protocol: 'chat',
      asks: { max_completion_tokens: 100 },
      sees: { max_tokens: 100 },
      lacks: ['max_completion_tokens'],
    },
    {
      title: 'chooses tools itself',
      protocol: 'chat',
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
        tool_choice: 'required',
      },
      lacks: ['tool_choice'],
      losses: ['dropped toolChoice'],
    },
  ],
})
