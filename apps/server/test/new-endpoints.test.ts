import Anthropic, { NotFoundError as AnthropicNotFound } from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI, { NotFoundError as OpenAINotFound } from 'openai'
import { describe, expect, it } from 'vitest'
import { useServer } from './shared-server.ts'

const server = useServer()

// Endpoints of this year's SDKs, by the paths that these ask for.
const OPENAI = [
  '/decisions',
  '/live/sessions',
  '/live/sessions/ls_1',
  '/agents',
  '/agents/sessions',
  '/content_provenance_checks',
  '/audio/voices',
  '/audio/voice_consents',
]
const ANTHROPIC = ['/v1/agents', '/v1/sessions', '/v1/environments']

/** What a client of the SDK is told: the error that it throws. */
async function refusal(call: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('It was answered.')
}

describe('an endpoint that is not served here is a 404 that says so', () => {
  describe.each(['/api/v1', '/v1'])('of OpenAI, at %s', (base) => {
    it.each(OPENAI)('%s', async (path) => {
      const client = new OpenAI({ baseURL: server().url + base, apiKey: server().key, maxRetries: 0 })
      for (const call of [() => client.post(path, { body: { model: 'sim/chat-1' } }), () => client.get(path)]) {
        const error = await refusal(call)
        expect(error).toBeInstanceOf(OpenAINotFound)
        expect(error).toMatchObject({
          type: 'not_found_error',
          message: expect.stringContaining(`No endpoint at ${base}${path}. `) as string,
        })
      }
    })
  })

  describe.each(['/api/anthropic', ''])('of Anthropic, at "%s"', (base) => {
    it.each(ANTHROPIC)('%s', async (path) => {
      const client = new Anthropic({ baseURL: server().url + base, apiKey: server().key, maxRetries: 0 })
      for (const call of [() => client.post(path, { body: { model: 'sim/messages-1' } }), () => client.get(path)]) {
        const error = await refusal(call)
        expect(error).toBeInstanceOf(AnthropicNotFound)
        const message = expect.stringContaining(`No endpoint at ${base}${path}. `) as string
        expect(error).toMatchObject({ error: { type: 'error', error: { type: 'not_found_error', message } } })
      }
    })
  })

  it.each([
    ['/api/vertex-ai', 'v1'],
    ['', 'v1beta'],
  ])('of Google: the Interactions API, at "%s"', async (base, apiVersion) => {
    const httpOptions = { baseUrl: server().url + base, apiVersion, retryOptions: { attempts: 1 } }
    const client = new GoogleGenAI({ vertexai: false, apiKey: server().key, httpOptions })
    const error = await refusal(() => client.interactions.create({ model: 'genai-1', input: 'Hi' }))
    expect(error).toMatchObject({ status: 404 })
    expect(String(error)).toContain(`No endpoint at ${base}/${apiVersion}/interactions. `)
    const path = `${base}/${apiVersion}/interactions/int_1`
    const found = await fetch(server().url + path, { headers: { 'x-goog-api-key': server().key } })
    expect(found.status).toBe(404)
    const message = expect.stringContaining(`No endpoint at ${path}. `) as string
    expect(await found.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND', message } })
  })
})
