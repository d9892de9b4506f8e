import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { chat } from './endpoints.ts'
import { MODELS, useEndpoint, type Wire } from './fields.ts'

/** The fields that chat does not accept, each as existing clients send it. */
const FIELDS: [string, Wire][] = Object.entries({
  audio: { voice: 'alloy', format: 'wav' },
  modalities: ['text'],
  functions: [{ name: 'get_time', parameters: { type: 'object', properties: {} } }],
  function_call: 'auto',
  prompt_cache_key: 'key',
  prompt_cache_retention: '24h',
  safety_identifier: 'someone',
  store: true,
  service_tier: 'auto',
  prediction: { type: 'content', content: 'Hello' },
  seed: 7,
  user: 'someone',
  max_tokens: 100,
}).map(([name, value]) => [name, { [name]: value }])

describe('a server that refuses them', () => {
  const { refused } = useEndpoint(chat)

  it.each(FIELDS)('[chat.unsupported] names %s, and the setting', async (name, members) => {
    expect(await refused(members, name)).toContain('unsupportedFields: accept')
  })

  it('[chat.unsupported] says what to use in place of max_tokens', async () => {
    expect(await refused({ max_tokens: 100 }, 'max_tokens')).toContain('use max_completion_tokens')
  })
})

describe('a server that accepts them', () => {
  const { answer, post, refused } = useEndpoint(chat, { DRAGOMAN_UNSUPPORTED_FIELDS: 'accept' })

  describe.each(MODELS)('for %s', (model) => {
    it.each(FIELDS)('[chat.unsupported] takes %s', async (_name, members) => {
      expect((await post(members, { model })).status).toBe(200)
    })

    it('[chat.unsupported] takes max_tokens for what it means', async () => {
      const { choices } = (await answer({ max_tokens: 2 }, { model })) as { choices?: OpenAI.ChatCompletion.Choice[] }
      expect(choices?.[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Hello fr' } })
    })
  })

  it('[chat.unsupported] reports what it cannot say to the model', async () => {
    const answered = await post({ user: 'someone', store: true }, { model: 'sim/messages-1' })
    expect(answered.headers.get('x-dragoman-losses')).toMatch(/dropped extras/)
  })

  it('still refuses one that makes no sense', async () => {
    await refused({ max_tokens: 'many' }, 'max_tokens')
    await refused({ seed: 1.5 }, 'seed')
  })
})
