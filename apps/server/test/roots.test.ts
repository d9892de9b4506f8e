import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { useServer } from './shared-server.ts'

const server = useServer()

/** The addresses that most tools assume. */
describe('official SDKs at the root', () => {
  it('openai, at /v1', async () => {
    const client = new OpenAI({ baseURL: `${server().url}/v1`, apiKey: server().key, maxRetries: 0 })
    const { data } = await client.models.list()
    expect(data.map(({ object }) => object)).toContain('model')
    const model = 'sim/chat-1'
    const answer = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Sky' }] })
    expect(answer.choices[0]?.message.content).toContain('Sky')
    expect((await client.responses.create({ model, input: 'Sky' })).output_text).toContain('Sky')
    const wrong = client.models.retrieve('sim/nobody')
    await expect(wrong).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  })

  it('@anthropic-ai/sdk', async () => {
    const client = new Anthropic({ baseURL: server().url, apiKey: server().key, maxRetries: 0 })
    const { data } = await client.models.list({ limit: 1 })
    expect(data.map(({ type }) => type)).toEqual(['model'])
    const messages = [{ role: 'user' as const, content: 'Sky' }]
    const stream = client.messages.stream({ model: 'sim/messages-1', max_tokens: 100, messages })
    expect(await stream.finalText()).toContain('Sky')
    const wrong = client.models.retrieve('sim/nobody')
    await expect(wrong).rejects.toMatchObject({ status: 404, error: { type: 'error' } })
  })

  it.each([
    [false, 'v1beta'],
    [true, 'v1beta1'],
  ])('@google/genai, with its own version: vertexai %s is %s', async (vertexai, version) => {
    const asked: string[] = []
    const send: typeof fetch = (input, init) => {
      asked.push(new URL(input instanceof Request ? input.url : input).pathname)
      return fetch(input, init)
    }
    const httpOptions = { baseUrl: server().url, fetch: send }
    const client = new GoogleGenAI({ vertexai, apiKey: server().key, httpOptions })
    const names: unknown[] = []
    for await (const { name } of await client.models.list()) names.push(name)
    expect(names).toContain('sim/genai-1')
    const answer = await client.models.generateContent({ model: 'genai-1', contents: 'Sky' })
    expect(answer.text).toContain('Sky')
    await expect(client.models.get({ model: 'nobody' })).rejects.toMatchObject({ status: 404 })
    expect(new Set(asked.map((path) => path.split('/')[1]))).toEqual(new Set([version]))
  })

  it('@google/genai at v1, which others have too', async () => {
    const httpOptions = { baseUrl: server().url, apiVersion: 'v1' }
    const client = new GoogleGenAI({ vertexai: false, apiKey: server().key, httpOptions })
    const names: unknown[] = []
    for await (const { name } of await client.models.list()) names.push(name)
    expect(names).toContain('sim/genai-1')
  })
})

it('what else is at the root stays there', async () => {
  const get = async (path: string): Promise<unknown> => (await fetch(server().url + path)).json()
  expect(await get('/')).toMatchObject({ name: 'dragoman' })
  expect(await get('/healthz')).toEqual({ status: 'ok' })
  expect(await get('/readyz')).toEqual({ status: 'ready' })
})
