import { anthropic } from '@dragoman/provider-anthropic'
import { google } from '@dragoman/provider-google'
import { openai } from '@dragoman/provider-openai'
import { GoogleGenAI } from '@google/genai'
import { describe, expect, it } from 'vitest'
import { createAnthropic, createAnthropic0 } from '../clients/anthropic.ts'
import { createGenAI } from '../clients/genai.ts'
import { createOpenAI } from '../clients/openai.ts'
import { useStage } from './stage.ts'

const { server } = useStage()

/** The simulator, and every model of the providers with an upstream in this test. */
const IDS = [
  'sim/chat-1',
  'sim/messages-1',
  'sim/genai-1',
  ...[openai, anthropic, google].flatMap(({ name, models }) => models.map((card) => `${name}/${card.name}`)),
]
const FACTS = {
  input_modalities: ['text', 'image', 'file'],
  output_modalities: ['text'],
  capabilities: { reasoning: true },
  context_length: 128_000,
  pricings: {
    prompt: [{ value: 0, unit: 'perMTokens', currency: 'USD' }],
    completion: [{ value: 0, unit: 'perMTokens', currency: 'USD' }],
  },
}

async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of pages) items.push(item)
  return items
}

describe('the model list', () => {
  it('[models.chat] [models.get] [models.pricing] [models.modalities] is read by openai', async () => {
    const { models } = createOpenAI(server())
    const listed = await all(models.list())
    expect(listed.map(({ id }) => id)).toEqual(IDS)
    const day = listed[0]?.created ?? 0
    expect(Number.isInteger(day) && day > 1_500_000_000).toBe(true)
    for (const entry of [listed[2], await models.retrieve('sim/genai-1')]) {
      expect(entry).toMatchObject({ id: 'sim/genai-1', object: 'model', owned_by: 'dragoman', ...FACTS })
    }
    await expect(models.retrieve('sim/nobody')).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['1', createAnthropic],
    ['0', createAnthropic0],
  ])('[models.messages] [models.get] is paged by @anthropic-ai/sdk %s', async (_generation, create) => {
    const { models } = create(server())
    for (const limit of [1, 7, 20, 1000]) {
      expect((await all(models.list({ limit }))).map(({ id }) => id)).toEqual(IDS)
    }
    const page = await models.list({ limit: 2 })
    expect([page.has_more, page.first_id, page.last_id]).toEqual([true, 'sim/chat-1', 'sim/messages-1'])
    const back = await models.list({ limit: 2, before_id: 'sim/genai-1' })
    expect(back.data.map(({ id }) => id)).toEqual(['sim/chat-1', 'sim/messages-1'])
    const one = await models.retrieve('sim/chat-1')
    expect(one).toMatchObject({ id: 'sim/chat-1', type: 'model', display_name: 'Simulated chat 1', ...FACTS })
    expect(one.created_at).toMatch(/^\d{4}-\d\d-\d\d$/)
    await expect(models.list({ limit: 1, after_id: 'sim/nobody' })).rejects.toMatchObject({ status: 400 })
  })

  it('[models.genai] [models.genai.paths] [models.get] is paged by @google/genai in both of its modes', async () => {
    const plain = new GoogleGenAI({ apiKey: server().key, httpOptions: { baseUrl: `${server().url}/api/vertex-ai` } })
    for (const { models } of [createGenAI(server()), plain]) {
      for (const pageSize of [1, 7, 20, 1000]) {
        const listed = await all(await models.list({ config: { pageSize } }))
        expect(listed.map(({ name }) => name)).toEqual(IDS)
      }
      expect(await models.get({ model: 'sim/genai-1' })).toMatchObject({
        name: 'sim/genai-1',
        displayName: 'Simulated genai 1',
      })
      await expect(models.get({ model: 'sim/nobody' })).rejects.toMatchObject({ status: 404 })
    }
    // Its plain mode shows these; the other mode shows only names.
    expect(await plain.models.get({ model: 'sim/genai-1' })).toMatchObject({
      inputTokenLimit: 128_000,
      outputTokenLimit: 32_000,
      thinking: true,
    })
  })

  it('[auth.models.open] needs no key, and ignores a wrong one', async () => {
    for (const path of ['v1/models', 'anthropic/v1/models', 'vertex-ai/v1beta/models', 'v1/models/sim%2Fchat-1']) {
      expect((await fetch(`${server().url}/api/${path}`)).status).toBe(200)
      const wrong = { headers: { authorization: 'Bearer sk-wrong' } }
      expect((await fetch(`${server().url}/api/${path}`, wrong)).status).toBe(200)
    }
  })
})
