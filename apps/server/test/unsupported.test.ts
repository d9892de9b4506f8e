import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from './endpoints.ts'
import { MODELS, useEndpoint, type Wire } from './fields.ts'
import { useRefusingServer } from './shared-server.ts'

/** The fields that chat does not accept, each as existing clients send it. */
const FIELDS: [string, Wire][] = Object.entries({
  audio: { voice: 'alloy', format: 'wav' },
  modalities: ['text', 'audio'],
  functions: [{ name: 'get_time', parameters: { type: 'object', properties: {} } }],
  function_call: 'auto',
  prompt_cache_key: 'key',
  prompt_cache_retention: '24h',
  safety_identifier: 'someone',
  store: true,
  service_tier: 'flex',
  prediction: { type: 'content', content: 'Hello' },
  seed: 7,
  user: 'someone',
  max_tokens: 100,
}).map(([name, value]) => [name, { [name]: value }])

/** Values without effect. */
const NEUTRAL: readonly Wire[] = [{ store: false }, { n: 1 }, { service_tier: 'auto' }, { modalities: ['text'] }]

describe('a server that refuses them', () => {
  const { post, refused } = useEndpoint(chat, useRefusingServer())

  it.each(FIELDS)('[chat.unsupported] names %s, and the setting and its location', async (name, members) => {
    const complaint = await refused(members, name)
    expect(complaint).toContain('defaults.unsupportedFields in the configuration file, or DRAGOMAN_UNSUPPORTED_FIELDS')
  })

  it.each(NEUTRAL)('[chat.unsupported] accepts %j, which has no effect', async (members) => {
    expect((await post(members)).status).toBe(200)
  })

  it('[chat.unsupported] names the replacement of max_tokens', async () => {
    expect(await refused({ max_tokens: 100 }, 'max_tokens')).toContain('use max_completion_tokens')
  })
})

describe('a server that accepts them, the default', () => {
  const { answer, post, refused } = useEndpoint(chat)

  describe.each(MODELS)('for %s', (model) => {
    it.each(FIELDS)('[chat.unsupported] accepts %s', async (_name, members) => {
      expect((await post(members, { model })).status).toBe(200)
    })

    it('[chat.unsupported] applies max_tokens', async () => {
      const { choices } = (await answer({ max_tokens: 16 }, { model })) as { choices?: OpenAI.ChatCompletion.Choice[] }
      expect(choices?.[0]).toMatchObject({
        finish_reason: 'length',
        message: { content: expect.stringMatching(/^Hello fr.{56}$/s) as string },
      })
    })
  })

  it.each(FIELDS)(
    '[chat.unsupported] forwards %s unchanged to an upstream of the same protocol',
    async (_name, members) => {
      const answered = await post(members)
      expect([answered.headers.get('x-dragoman-path'), answered.headers.get('x-dragoman-losses')]).toEqual([
        'relay',
        null,
      ])
    },
  )

  it.each(NEUTRAL)('[chat.unsupported] reports no loss for %j, which has no effect', async (members) => {
    for (const model of MODELS) {
      const answered = await post({ ...members, max_completion_tokens: 100 }, { model })
      expect([answered.status, answered.headers.get('x-dragoman-losses')]).toEqual([200, null])
    }
  })

  it('[chat.unsupported] reports what the model cannot receive', async () => {
    const answered = await post({ prompt_cache_key: 'key', store: true }, { model: 'sim/messages-1' })
    expect(answered.headers.get('x-dragoman-losses')).toMatch(/dropped prompt_cache_key, dropped store/)
  })

  it('still refuses an invalid one', async () => {
    await refused({ max_tokens: 'many' }, 'max_tokens')
    await refused({ seed: 1.5 }, 'seed')
  })
})

describe('the other protocols', () => {
  const ask = { messages: useEndpoint(messages), genai: useEndpoint(genai) }

  it.each(MODELS)('[msg.unsupported] report no loss for values without effect, toward %s', async (model) => {
    const asked = await ask.messages.post({ service_tier: 'auto', metadata: {} }, { model })
    expect([asked.status, asked.headers.get('x-dragoman-losses')]).toEqual([200, null])
    const generationConfig = { candidateCount: 1, maxOutputTokens: 100 }
    const generated = await ask.genai.post({ generationConfig }, { model })
    expect([generated.status, generated.headers.get('x-dragoman-losses')]).toEqual([200, null])
  })
})
