import { createChatDouble, createResponsesDouble, type Double } from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anthropic } from '../clients/anthropic.ts'
import { genai } from '../clients/genai.ts'
import { openai } from '../clients/openai.ts'
import { openaiResponses } from '../clients/responses.ts'
import { startServer, type ServerProcess } from '../process.ts'
import { TOOLS, WEATHER } from './scene.ts'
import { DELIVERIES } from './stage.ts'

const MODEL = 'openai/gpt-5.5'

/** A server whose OpenAI is at the URL of a double. */
function useProxy(create: typeof createChatDouble): {
  readonly server: () => ServerProcess
  readonly double: () => Double
} {
  let double: Double
  let server: ServerProcess
  beforeAll(async () => {
    double = await create([{ parts: [{ text: 'No script was set.' }] }])
    server = await startServer({ OPENAI_BASE_URL: double.url, OPENAI_API_KEY: 'sk-upstream' })
  })
  afterAll(async () => {
    await double.close()
    await server.stop()
  })
  return { server: () => server, double: () => double }
}

describe('OPENAI_BASE_URL at a proxy that has only chat', () => {
  const { server, double } = useProxy(createChatDouble)

  it('is found out by one call, and the log and headers say so', async () => {
    const fresh = await startServer({ OPENAI_BASE_URL: double().url, OPENAI_API_KEY: 'sk-upstream' })
    double().play({ parts: [{ text: 'Hello.' }] })
    const conversation = anthropic.converse(fresh, { model: MODEL, delivery: 'streamed' })
    const heads = [await conversation.send('Hi'), await conversation.send('Again')].map(({ headers }) => headers)
    expect(heads.map((headers) => headers.get('x-dragoman-attempts'))).toEqual([
      `2: ${MODEL} not-found, ${MODEL}`,
      null,
    ])
    expect(heads.map((headers) => headers.get('x-dragoman-no-endpoint'))).toEqual(['responses', 'responses'])
    const { because } = await fresh.logged(({ model }) => model === MODEL)
    expect(because).toBe(`${MODEL} speaks chat, and has no endpoint for responses`)
    await fresh.stop()
  })

  describe.each([openaiResponses, anthropic, genai])('with $name', (client) => {
    it.each(DELIVERIES)('serves models that the Responses API serves better, %s', async (delivery) => {
      double().play({ parts: [WEATHER] }, { parts: [{ text: 'Warm.' }] })
      const conversation = client.converse(server(), { model: MODEL, delivery, tools: TOOLS })
      const first = await conversation.send('How is the weather?')
      expect(first).toMatchObject({ text: '', calls: [{ name: 'get_weather', arguments: WEATHER.input }] })
      const second = await conversation.sendResults(() => '21 degrees')
      expect(second).toMatchObject({ text: 'Warm.', finish: client.finishOf.end })
      for (const { headers } of [first, second]) expect(headers.get('x-dragoman-no-endpoint')).toBe('responses')
      expect(double().received.map(({ path }) => path)).toEqual(['/chat/completions', '/chat/completions'])
      expect(double().refused).toEqual([])
    })

    it('gives the error of a model that has no other API', async () => {
      const conversation = client.converse(server(), { model: 'openai/gpt-5.3-codex', delivery: 'whole' })
      const thrown: unknown = await conversation.send('Hi').catch((error: unknown) => error)
      expect(client.raised(thrown)).toMatchObject({ isNative: true, status: 404 })
    })
  })

  it('[resp.input_tokens] estimates the tokens that it cannot count', async () => {
    const counted = await openaiResponses.count?.(server(), MODEL, 'How many tokens are these?')
    expect(counted?.tokens).toBeGreaterThan(3)
    expect(counted?.headers.get('x-dragoman-estimated')).toBe('true')
  })
})

describe('OPENAI_BASE_URL at a proxy that has only Responses', () => {
  const { server, double } = useProxy(createResponsesDouble)

  it.each(DELIVERIES)('serves chat clients with models that have both, %s', async (delivery) => {
    double().play({ parts: [{ text: 'Hello.' }] })
    const { text, headers } = await openai.converse(server(), { model: MODEL, delivery }).send('Hi')
    expect([text, headers.get('x-dragoman-no-endpoint')]).toEqual(['Hello.', 'chat'])
    expect(double().received.map(({ path }) => path)).toEqual(['/responses'])
  })

  it('is not asked again for a model that does not exist', async () => {
    double().play({
      status: 404,
      error: { type: 'invalid_request_error', message: 'The model `gpt-5.5` does not exist.', code: 'model_not_found' },
    })
    const conversation = openaiResponses.converse(server(), { model: MODEL, delivery: 'whole' })
    const thrown: unknown = await conversation.send('Hi').catch((error: unknown) => error)
    expect(openaiResponses.raised(thrown)).toMatchObject({ status: 404, code: 'model_not_found' })
    expect(double().received).toHaveLength(1)
  })
})
