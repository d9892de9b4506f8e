import { BEARER } from '@dragoman/core/provider'
import { chatAnswer, describeProvider } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createDeepSeek, fromEnvironment } from '../index.ts'
import { answer, TEXT } from '../../test/answer-cases.ts'

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } }

const ANSWERS = [
  answer(
    'names cached tokens its own way',
    chatAnswer(
      { content: TEXT },
      { usage: { prompt_tokens: 9, completion_tokens: 4, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 3 } },
    ),
    { usage: { input: 9, output: 4, cacheRead: 6 } },
  ),
]

describeProvider('deepseek', {
  create: createDeepSeek,
  auth: BEARER,
  basePath: '',
  paths: { chat: '/chat/completions', messages: '/anthropic/v1/messages', responses: '/responses' },
  listPath: '/models',
  environment: { key: 'DEEPSEEK_API_KEY', baseURL: 'DEEPSEEK_BASE_URL', enable: fromEnvironment },
  model: 'deepseek-v4-flash',
  answers: ANSWERS,
  requests: [
    {
      title: 'gets its reasoning again after a tool call',
      protocol: 'chat',
      asks: {
        messages: [
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: null,
            reasoning_content: 'r',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'a', content: 'sun' },
        ],
      },
      sees: { messages: [{}, { reasoning_content: 'r' }, {}] },
      lacks: ['messages.1.reasoning', 'messages.1.reasoning_details'],
    },
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
      title: 'names the token limit max_tokens',
      protocol: 'chat',
      asks: { max_completion_tokens: 100 },
      sees: { max_tokens: 100 },
      lacks: ['max_completion_tokens'],
    },
    {
      title: 'drops settings that it ignores while it thinks',
      protocol: 'chat',
      asks: { temperature: 0.5, presence_penalty: 1 },
      lacks: ['temperature', 'presence_penalty'],
      losses: ['dropped settings.temperature', 'dropped settings.presencePenalty'],
    },
    {
      title: 'keeps sampling settings without thinking, which its own member turns off',
      protocol: 'chat',
      asks: { temperature: 0.5, reasoning_effort: 'none' },
      sees: { temperature: 0.5, thinking: { type: 'disabled' } },
      lacks: ['reasoning_effort'],
    },
    {
      title: 'has three efforts',
      protocol: 'chat',
      asks: { reasoning_effort: 'medium' },
      sees: { reasoning_effort: 'high', thinking: { type: 'enabled' } },
      losses: ['changed reasoning.effort', 'added reasoning.on'],
    },
    {
      title: 'converts a budget to an effort',
      protocol: 'chat',
      from: 'messages',
      asks: { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      sees: { reasoning_effort: 'low', thinking: { type: 'enabled' }, max_tokens: 4000 },
      losses: ['added reasoning.effort', 'dropped reasoning.budget'],
    },
    {
      title: 'instructs the model to follow a schema',
      protocol: 'chat',
      asks: { response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema: SCHEMA } } },
      sees: {
        response_format: { type: 'json_object' },
        messages: [
          { role: 'user' },
          {
            role: 'system',
            content: `Answer with JSON that satisfies this JSON Schema: ${JSON.stringify(SCHEMA)}`,
          },
        ],
      },
      losses: ['added messages.1', 'dropped output.schema', 'dropped output.name', 'dropped output.strict'],
    },
    {
      title: 'drops members that its messages endpoint ignores',
      protocol: 'messages',
      asks: { top_k: 5 },
      lacks: ['top_k'],
      losses: ['dropped settings.topK'],
    },
  ],
})

describe('the cards of DeepSeek', () => {
  it('have Responses for the one model that it serves', () => {
    const protocolsOf = createDeepSeek({ keys: 'k' }).models.map(({ name, protocols }) => [name, protocols])
    expect(Object.fromEntries(protocolsOf)).toMatchObject({
      'deepseek-v4-flash': ['chat', 'messages', 'responses'],
      'deepseek-v4-pro': ['chat', 'messages'],
    })
  })
})
