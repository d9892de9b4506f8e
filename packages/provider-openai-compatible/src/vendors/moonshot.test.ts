import { BEARER } from '@dragoman/core/provider'
import { CHAT_DONE, chatChunk, chatDeltas, describeProvider } from '@dragoman/testkit'
import { createMoonshot, fromEnvironment } from '../index.ts'
import { answer, TEXT } from '../../test/answer-cases.ts'

const ANSWERS = [
  answer(
    'counts in the choice',
    {
      frames: [
        ...chatDeltas({ content: TEXT }),
        chatChunk({
          choices: [
            {
              index: 0,
              delta: {},
              finish_reason: 'stop',
              usage: { prompt_tokens: 9, completion_tokens: 4, cached_tokens: 6 },
            },
          ],
        }),
        CHAT_DONE,
      ],
    },
    { text: TEXT, usage: { input: 9, output: 4, cacheRead: 6 } },
  ),
]

describeProvider('moonshot', {
  create: createMoonshot,
  auth: BEARER,
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions', messages: '/anthropic/v1/messages' },
  listPath: '/v1/models',
  environment: { key: 'MOONSHOT_API_KEY', baseURL: 'MOONSHOT_BASE_URL', enable: fromEnvironment },
  model: 'kimi-k2.6',
  answers: ANSWERS,
  requests: [
    {
      title: 'turns thinking off with its own member',
      protocol: 'chat',
      asks: { reasoning_effort: 'none' },
      sees: { thinking: { type: 'disabled' } },
      lacks: ['reasoning_effort', 'reasoning'],
    },
    {
      title: 'turns thinking on for an effort',
      protocol: 'chat',
      asks: { reasoning_effort: 'high' },
      sees: { thinking: { type: 'enabled' } },
      lacks: ['reasoning_effort', 'reasoning'],
      losses: ['added reasoning.on', 'dropped reasoning.effort'],
    },
    {
      title: 'has a budget of at least 1024 tokens',
      protocol: 'chat',
      asks: { reasoning: { max_tokens: 500 } },
      sees: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      lacks: ['reasoning'],
      losses: ['added reasoning.on', 'changed reasoning.budget'],
    },
    {
      title: 'has fixed sampling settings',
      protocol: 'chat',
      asks: { temperature: 0.5, top_p: 0.5, presence_penalty: 1, seed: 2 },
      lacks: ['temperature', 'top_p', 'presence_penalty', 'seed'],
      losses: [
        'dropped settings.temperature',
        'dropped settings.topP',
        'dropped settings.presencePenalty',
        'dropped settings.seed',
      ],
    },
    {
      title: 'cannot be forced to call a tool while it thinks',
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
      losses: ['changed toolChoice.mode'],
    },
    {
      title: 'can be forced to call a tool while it does not think',
      protocol: 'chat',
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
        tool_choice: 'required',
        reasoning_effort: 'none',
      },
      sees: { tool_choice: 'required', thinking: { type: 'disabled' } },
    },
  ],
})
