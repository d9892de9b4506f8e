import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { protocols } from '@dragoman/core'
import { APICallError, generateText, isStepCount, jsonSchema, streamText, tool, type LanguageModel } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from './process.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
}, 60_000)
afterAll(() => server.stop())

/** The providers of the Vercel AI SDK, one per protocol, each set up as its documentation says. */
const PROVIDERS: [string, (model: string) => LanguageModel][] = [
  [
    '@ai-sdk/openai-compatible',
    (model) =>
      createOpenAICompatible({
        name: 'dragoman',
        baseURL: `${server.url}/api/v1`,
        apiKey: server.key,
        includeUsage: true,
      })(`sim/${model}`),
  ],
  [
    '@ai-sdk/anthropic',
    (model) => createAnthropic({ baseURL: `${server.url}/api/anthropic/v1`, apiKey: server.key })(`sim/${model}`),
  ],
  [
    '@ai-sdk/google',
    (model) =>
      createGoogleGenerativeAI({ baseURL: `${server.url}/api/vertex-ai/v1/publishers/sim`, apiKey: server.key })(model),
  ],
]
const PAIRS = PROVIDERS.flatMap(([name, create]) =>
  protocols.map((protocol) => ({ name, create, model: `${protocol.name}-1` })),
)

const tools = {
  get_weather: tool({
    description: 'The weather in a city.',
    inputSchema: jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    }),
    execute: ({ city }) => `21 degrees in ${city}`,
  }),
}
const asked = { tools, prompt: 'What is the weather in Paris?', maxRetries: 0, stopWhen: isStepCount(3) }

describe.each(PAIRS)('$name to sim/$model', ({ create, model }) => {
  it('runs a tool loop with whole answers', async () => {
    const { text, steps, finishReason, totalUsage } = await generateText({ ...asked, model: create(model) })
    expect(text).toContain('21 degrees in Paris')
    expect(steps).toHaveLength(2)
    expect(steps[0]?.finishReason).toBe('tool-calls')
    expect(steps[0]?.toolCalls).toMatchObject([{ toolName: 'get_weather', input: { city: 'Paris' } }])
    expect(finishReason).toBe('stop')
    expect(totalUsage.inputTokens).toBeGreaterThan(10)
    expect(totalUsage.outputTokens).toBeGreaterThan(10)
  })

  it('runs a tool loop with streams', async () => {
    const result = streamText({ ...asked, model: create(model) })
    let text = ''
    for await (const piece of result.textStream) text += piece
    expect(text).toContain('21 degrees in Paris')
    expect(await result.steps).toHaveLength(2)
    expect(await result.finishReason).toBe('stop')
    expect((await result.totalUsage).outputTokens).toBeGreaterThan(10)
  })

  it('raises its error with the status', async () => {
    const failure = generateText({ model: create(model), prompt: '[[error 429]]', maxRetries: 0 })
    await expect(failure).rejects.toBeInstanceOf(APICallError)
    await expect(failure).rejects.toMatchObject({ statusCode: 429, message: expect.stringContaining('429') as string })
  })
})
