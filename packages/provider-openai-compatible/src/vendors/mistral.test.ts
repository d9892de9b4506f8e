import { BEARER } from '@dragoman/core/provider'
import { CHAT_DONE, chatAnswer, chatDeltas, chatEnd, describeProvider } from '@dragoman/testkit'
import { createMistral, fromEnvironment } from '../index.ts'
import { answer, stream, TEXT } from '../../test/answer-cases.ts'

const THINKING = { type: 'thinking', thinking: [{ type: 'text', text: 'Rayleigh?' }] }
const ANSWERS = [
  answer('thinks in parts of its content', chatAnswer({ content: [THINKING, { type: 'text', text: TEXT }] }), {
    reasoning: 'Rayleigh?',
    text: TEXT,
  }),
  answer(
    'streams thoughts in parts of its content',
    stream({ content: [THINKING] }, { content: [{ type: 'text', text: 'It ' }] }, { content: 'scatters.' }),
    { reasoning: 'Rayleigh?', text: TEXT },
  ),
  answer(
    'is cut by its own word',
    { frames: [...chatDeltas({ content: TEXT }), chatEnd('model_length'), CHAT_DONE] },
    { finish: 'length' },
  ),
]

describeProvider('mistral', {
  create: createMistral,
  auth: BEARER,
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions' },
  listPath: '/v1/models',
  environment: { key: 'MISTRAL_API_KEY', baseURL: 'MISTRAL_BASE_URL', enable: fromEnvironment },
  model: 'mistral-medium-3.5',
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
      title: 'names the seed random_seed',
      protocol: 'chat',
      asks: { seed: 7 },
      sees: { random_seed: 7 },
      lacks: ['seed'],
    },
    {
      title: 'has a high effort or none',
      protocol: 'chat',
      asks: { reasoning_effort: 'medium' },
      sees: { reasoning_effort: 'high' },
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
    },
    {
      title: 'cannot name a required tool',
      protocol: 'chat',
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
        tool_choice: { type: 'function', function: { name: 'f' } },
      },
      sees: { tool_choice: 'any' },
      losses: ['dropped toolChoice.names'],
    },
    {
      title: 'always sends usage',
      protocol: 'chat',
      stream: true,
      asks: {},
      lacks: ['stream_options'],
      losses: ['dropped delivery.usage'],
    },
    {
      title: 'drops reasoning for a model without it',
      protocol: 'chat',
      model: 'mistral-large-2512',
      asks: { reasoning_effort: 'high', logprobs: true },
      lacks: ['reasoning_effort', 'logprobs'],
      losses: ['dropped settings.logprobs', 'dropped reasoning'],
    },
  ],
})
