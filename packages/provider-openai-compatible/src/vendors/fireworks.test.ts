import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { createFireworks, fromEnvironment } from '../index.ts'

describeProvider('fireworks', {
  create: createFireworks,
  auth: BEARER,
  basePath: '/inference/v1',
  paths: { chat: '/inference/v1/chat/completions', messages: '/inference/v1/messages' },
  listPath: '/inference/v1/models',
  environment: { key: 'FIREWORKS_API_KEY', baseURL: 'FIREWORKS_BASE_URL', enable: fromEnvironment },
  requests: [
    {
      title: 'names the token limit max_tokens',
      protocol: 'chat',
      asks: { max_completion_tokens: 100 },
      sees: { max_tokens: 100 },
      lacks: ['max_completion_tokens'],
    },
    {
      title: 'has no effort minimal',
      protocol: 'chat',
      asks: { reasoning_effort: 'minimal' },
      sees: { reasoning_effort: 'low' },
      losses: ['changed reasoning.effort'],
    },
    {
      title: 'uses any for a required tool call',
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
      sees: { tool_choice: 'any' },
      lacks: ['tools.0.function.strict'],
      losses: ['dropped tools.0.strict'],
    },
    {
      title: 'does not combine structured output with tools',
      protocol: 'chat',
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
        response_format: { type: 'json_schema', json_schema: { name: 'place', schema: { type: 'object' } } },
      },
      lacks: ['response_format'],
      losses: ['dropped output', 'dropped tools.0.strict'],
    },
    {
      title: 'removes members that it would refuse',
      protocol: 'chat',
      asks: { messages: [{ role: 'user', name: 'me', content: 'Hi', x_mine: 1 }] },
      lacks: ['messages.0.name', 'messages.0.x_mine'],
      losses: ['dropped messages.0.name', 'dropped messages.0.extras'],
    },
  ],
})
