import type { JsonObject } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { BEARER, refuseChoosers } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createOpenRouter, fromEnvironment } from '../index.ts'

describeProvider('openrouter', {
  create: createOpenRouter,
  auth: BEARER,
  basePath: '/api/v1',
  paths: { chat: '/api/v1/chat/completions', messages: '/api/v1/messages', responses: '/api/v1/responses' },
  listPath: '/api/v1/models',
  environment: { key: 'OPENROUTER_API_KEY', baseURL: 'OPENROUTER_BASE_URL', enable: fromEnvironment },
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
      title: 'has no effort max in Responses',
      protocol: 'responses',
      asks: { reasoning: { effort: 'max' } },
      sees: { reasoning: { effort: 'xhigh' }, store: false, include: ['reasoning.encrypted_content'] },
      losses: ['changed reasoning.effort'],
    },
    {
      title: 'has no effort max',
      protocol: 'chat',
      asks: { reasoning_effort: 'max' },
      sees: { reasoning_effort: 'xhigh' },
      losses: ['changed reasoning.effort'],
    },
    {
      title: 'accepts a reasoning budget',
      protocol: 'chat',
      from: 'messages',
      asks: { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      sees: { reasoning: { enabled: true, max_tokens: 2000 }, max_completion_tokens: 4000 },
    },
    {
      title: 'accepts cache marks with their ttl',
      protocol: 'chat',
      from: 'messages',
      asks: { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      sees: { messages: [{ content: [{ type: 'text', cache_control: { type: 'ephemeral', ttl: '1h' } }] }, {}] },
    },
  ],
})

describe('a restricted key at openrouter', () => {
  const [card] = createOpenRouter({ keys: 'sk-or', models: ['m'] }).models
  const spoken = protocols.filter(({ name }) => name === 'chat' || name === 'messages')
  const refuse = (protocol: (typeof spoken)[number], body: JsonObject) => () =>
    refuseChoosers(protocol, body, card?.choosers?.[protocol.name])

  it.each(spoken.map((protocol) => [protocol.name, protocol] as const))(
    'cannot choose a model with %s',
    (_name, protocol) => {
      expect(refuse(protocol, { models: ['other/m'] })).toThrow('"models"')
      expect(refuse(protocol, { route: 'fallback' })).toThrow('"route"')
      expect(refuse(protocol, { preset: 'mine' })).toThrow('"preset"')
      expect(refuse(protocol, { plugins: [{ id: 'fusion' }] })).toThrow('"plugins"')
      expect(refuse(protocol, { fallbacks: [{ model: 'other/m' }] })).toThrow('"fallbacks"')
      expect(refuse(protocol, { tools: [{ type: 'function' }, { type: 'openrouter:advisor' }] })).toThrow(
        '"tools.1.type"',
      )
      expect(refuse(protocol, { tools: [{ type: 'function' }], transforms: ['middle-out'], user: 'u' })).not.toThrow()
    },
  )
})
