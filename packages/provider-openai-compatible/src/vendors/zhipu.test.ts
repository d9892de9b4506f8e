import { BEARER } from '@dragoman/core/provider'
import { CHAT_DONE, chatDeltas, chatEnd, describeProvider, type AnswerCase } from '@dragoman/testkit'
import { createZhipu, fromEnvironment } from '../index.ts'
import { answer, TEXT } from '../../test/answer-cases.ts'

const FILTERED = { frames: [...chatDeltas({ content: TEXT }), chatEnd('sensitive'), CHAT_DONE] }
const ANSWERS: readonly AnswerCase[] = [
  { ...answer('filters by its own word', FILTERED, { finish: 'content-filter' }), clients: ['chat', 'genai'] },
  { ...answer('filters by its own word', FILTERED, { finish: 'refusal' }), clients: ['messages'] },
]

describeProvider('zhipu', {
  create: createZhipu,
  auth: BEARER,
  basePath: '/api/paas/v4',
  paths: { chat: '/api/paas/v4/chat/completions', messages: '/api/anthropic/v1/messages' },
  environment: { key: 'ZAI_API_KEY', baseURL: 'ZAI_BASE_URL', enable: fromEnvironment },
  model: 'glm-5.1',
  answers: ANSWERS,
  requests: [
    {
      title: 'names the token limit max_tokens',
      protocol: 'chat',
      asks: { max_completion_tokens: 100 },
      sees: { max_tokens: 100 },
      lacks: ['max_completion_tokens'],
    },
    {
      title: 'clamps sampling',
      protocol: 'chat',
      asks: { top_p: 1, temperature: 1.5 },
      sees: { top_p: 0.99, temperature: 1 },
      losses: ['changed settings.topP', 'changed settings.temperature'],
    },
    {
      title: 'turns thinking off with its own member',
      protocol: 'chat',
      asks: { reasoning_effort: 'none' },
      sees: { thinking: { type: 'disabled' } },
      lacks: ['reasoning_effort'],
    },
    {
      title: 'turns thinking on without an amount',
      protocol: 'chat',
      asks: { reasoning_effort: 'high' },
      sees: { thinking: { type: 'enabled' } },
      lacks: ['reasoning_effort'],
      losses: ['added reasoning.on', 'dropped reasoning.effort'],
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
      sees: { tool_choice: 'auto' },
      lacks: ['tools.0.function.strict'],
      losses: ['dropped tools.0.strict', 'changed toolChoice.mode'],
    },
    {
      title: 'gets no tools if none may be called',
      protocol: 'chat',
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
        tool_choice: 'none',
      },
      lacks: ['tools', 'tool_choice'],
      losses: ['dropped tools', 'dropped toolChoice'],
    },
    {
      title: 'streams arguments in pieces, and always sends usage',
      protocol: 'chat',
      stream: true,
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
      },
      sees: { tool_stream: true },
      lacks: ['stream_options'],
      losses: ['dropped tools.0.strict', 'dropped delivery.usage', 'added extras'],
    },
    {
      title: 'instructs the model to follow a schema',
      protocol: 'chat',
      asks: { response_format: { type: 'json_schema', json_schema: { name: 'place', schema: { type: 'object' } } } },
      sees: { response_format: { type: 'json_object' }, messages: [{ role: 'user' }, { role: 'system' }] },
      losses: ['added messages.1', 'dropped output.schema', 'dropped output.name'],
    },
  ],
})
