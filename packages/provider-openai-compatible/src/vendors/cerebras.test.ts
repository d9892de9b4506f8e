import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { createCerebras, fromEnvironment } from '../index.ts'
import { FLAT_ERRORS } from '../../test/answer-cases.ts'

describeProvider('cerebras', {
  create: createCerebras,
  auth: BEARER,
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions' },
  listPath: '/v1/models',
  environment: { key: 'CEREBRAS_API_KEY', baseURL: 'CEREBRAS_BASE_URL', enable: fromEnvironment },
  model: 'zai-glm-4.7',
  answers: FLAT_ERRORS,
  requests: [
    {
      title: 'has no effort max',
      protocol: 'chat',
      asks: { reasoning_effort: 'max' },
      sees: { reasoning_effort: 'high' },
      losses: ['changed reasoning.effort'],
    },
    {
      title: 'drops unknown members',
      protocol: 'chat',
      asks: { presence_penalty: 1, frequency_penalty: 1 },
      lacks: ['presence_penalty', 'frequency_penalty'],
      losses: ['dropped settings.presencePenalty', 'dropped settings.frequencyPenalty'],
    },
  ],
})
