import { BEARER } from '@dragoman/core/provider'
import { chatAnswer, describeProvider } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createXai, fromEnvironment } from '../index.ts'
import { answer, TEXT } from '../../test/answer-cases.ts'

const ANSWERS = [
  answer(
    'counts thoughts beside the completion',
    chatAnswer(
      { content: TEXT },
      {
        usage: {
          prompt_tokens: 9,
          completion_tokens: 4,
          total_tokens: 20,
          completion_tokens_details: { reasoning_tokens: 7 },
        },
      },
    ),
    { text: TEXT, usage: { input: 9, output: 11, reasoning: 7 } },
  ),
]

describeProvider('xai', {
  create: createXai,
  auth: BEARER,
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions', responses: '/v1/responses' },
  listPath: '/v1/models',
  environment: { key: 'XAI_API_KEY', baseURL: 'XAI_BASE_URL', enable: fromEnvironment },
  model: 'grok-4.5',
  answers: ANSWERS,
  requests: [
    {
      title: 'gets the tools of codex as functions',
      protocol: 'responses',
      asks: {
        tools: [
          { type: 'namespace', name: 'fs', tools: [{ type: 'function', name: 'exec', parameters: {}, strict: false }] },
          { type: 'custom', name: 'apply_patch', description: 'Edits files.' },
        ],
      },
      sees: {
        tools: [
          { type: 'function', name: 'fs__exec' },
          { type: 'function', name: 'apply_patch' },
        ],
        store: false,
      },
      losses: ['changed tools.1'],
    },
    {
      title: 'searches the web without members of codex',
      protocol: 'responses',
      asks: { tools: [{ type: 'web_search', external_web_access: true }] },
      sees: { tools: [{ type: 'web_search' }] },
      lacks: ['tools.0.external_web_access'],
      losses: ['dropped tools.0.options.external_web_access'],
    },
    {
      title: 'asks for encrypted reasoning, from messages',
      protocol: 'responses',
      from: 'messages',
      asks: { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      sees: {
        store: false,
        include: ['reasoning.encrypted_content'],
        max_output_tokens: 4000,
        reasoning: { effort: 'low' },
      },
      losses: ['added reasoning.effort', 'dropped reasoning.budget', 'dropped reasoning.on'],
    },
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

describe('the cards of xAI', () => {
  it('prefer the API that returns reasoning', () => {
    const { models } = createXai({ keys: 'k' })
    const protocolsOf = (wanted: string) => models.find(({ name }) => name === wanted)?.protocols
    for (const name of ['grok-4.5', 'grok-4.3', 'grok-code-fast-1'])
      expect(protocolsOf(name)).toEqual(['responses', 'chat'])
    for (const name of ['grok-imagine-video', 'grok-imagine-image']) expect(protocolsOf(name)).toEqual(['own'])
  })
})
