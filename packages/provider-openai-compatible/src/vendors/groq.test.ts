import { BEARER } from '@dragoman/core/provider'
import { CHAT_DONE, chatDeltas, chatEnd, describeProvider } from '@dragoman/testkit'
import { createGroq, fromEnvironment } from '../index.ts'

describeProvider('groq', {
  create: createGroq,
  auth: BEARER,
  basePath: '/openai/v1',
  paths: { chat: '/openai/v1/chat/completions' },
  listPath: '/openai/v1/models',
  environment: { key: 'GROQ_API_KEY', baseURL: 'GROQ_BASE_URL', enable: fromEnvironment },
  model: 'gpt-oss-120b',
  requests: [
    {
      title: 'has no effort xhigh',
      protocol: 'chat',
      asks: { reasoning_effort: 'xhigh' },
      sees: { reasoning_effort: 'high' },
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
      title: 'cannot turn thinking off',
      protocol: 'chat',
      asks: { reasoning_effort: 'none' },
      sees: { reasoning_effort: 'low' },
      losses: ['added reasoning.effort', 'dropped reasoning.on'],
    },
    {
      title: 'drops members that it refuses',
      protocol: 'chat',
      asks: { logprobs: true, logit_bias: { '50': 1 }, messages: [{ role: 'user', name: 'me', content: 'Hi' }] },
      lacks: ['logprobs', 'logit_bias', 'messages.0.name'],
      losses: ['dropped settings.logprobs', 'dropped settings.logitBias', 'dropped messages.0.name'],
    },
    {
      title: 'forwards other requests unchanged',
      protocol: 'chat',
      asks: { max_completion_tokens: 7, stop: ['a'], top_p: 0.5 },
      sees: { max_completion_tokens: 7, stop: ['a'], top_p: 0.5 },
    },
  ],
  answers: [
    {
      title: 'usage in x_groq and in the usual member',
      protocol: 'chat',
      answer: {
        frames: [
          ...chatDeltas({ content: 'It scatters.' }),
          chatEnd('stop', {
            usage: { prompt_tokens: 9, completion_tokens: 4, queue_time: 0.1 },
            x_groq: { id: 'r', usage: { prompt_tokens: 9, completion_tokens: 4 } },
          }),
          CHAT_DONE,
        ],
      },
      expects: { text: 'It scatters.', usage: { input: 9, output: 4 } },
    },
  ],
})
