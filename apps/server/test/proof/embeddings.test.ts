import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { GoogleGenAI } from '@google/genai'
import { embed, embedMany } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGenAI } from '../clients/genai.ts'
import { startServer, type ServerProcess } from '../process.ts'
import { startEmbeddingUpstream, embeddingOf, type EmbeddingUpstream } from '../embedding-upstream.ts'

let server: ServerProcess
let upstream: EmbeddingUpstream
beforeAll(async () => {
  upstream = await startEmbeddingUpstream()
  server = await startServer({
    DRAGOMAN_SIM: 'on',
    DRAGOMAN_LOG: 'silent',
    OPENAI_BASE_URL: upstream.url,
    OPENAI_API_KEY: 'sk-chat',
    GEMINI_BASE_URL: upstream.url,
    GEMINI_API_KEY: 'sk-genai',
  })
})
afterAll(async () => {
  upstream.close()
  await server.stop()
})

const openai = () => new OpenAI({ baseURL: `${server.url}/api/v1`, apiKey: server.key, maxRetries: 0 })
/** Without the settings for the cloud platform. */
const plain = () => new GoogleGenAI({ apiKey: server.key, httpOptions: { baseUrl: `${server.url}/api/vertex-ai` } })
const last = () => upstream.received.at(-1)

const SMALL = 'openai/text-embedding-3-small'
const GEMINI = 'google/gemini-embedding-001'
/** One upstream of each family. */
const MODELS = [SMALL, GEMINI]

describe('the openai SDK', () => {
  it.each(MODELS)(
    '[embed.openai] [embed.chat] [embed.chat.model] [embed.pairs] gets embeddings of %s by default, which asks for base64',
    async (model) => {
      const answer = await openai().embeddings.create({ model, input: 'hello', dimensions: 256 })
      expect(answer).toMatchObject({ object: 'list', model, usage: { prompt_tokens: 1, total_tokens: 1 } })
      expect(answer.data).toEqual([{ object: 'embedding', index: 0, embedding: embeddingOf('hello', 256) }])
    },
  )

  it.each(MODELS)('[embed.openai] [embed.chat.input] gets one embedding of %s for each text', async (model) => {
    const input = ['a', 'bcd', 'ef']
    const { data } = await openai().embeddings.create({ model, input, dimensions: 256, encoding_format: 'float' })
    expect(data.map(({ index, embedding }) => [index, embedding])).toEqual(
      input.map((text, index) => [index, embeddingOf(text, 256)]),
    )
  })

  it.each(MODELS)('[embed.openai] [embed.chat.encoding_format] gets base64 of %s if it asks for it', async (model) => {
    const { data } = await openai().embeddings.create({ model, input: 'a', dimensions: 128, encoding_format: 'base64' })
    const bytes = Buffer.from(Float32Array.from(embeddingOf('a', 128)).buffer)
    expect(data[0]?.embedding).toBe(bytes.toString('base64'))
  })

  it('[embed.openai] [embed.err.tokens] gets embeddings of tokens from OpenAI, and a 400 from Gemini', async () => {
    const { data } = await openai().embeddings.create({ model: SMALL, input: [[1, 2], [3]] })
    expect(data).toHaveLength(2)
    expect(last()?.body['input']).toEqual([[1, 2], [3]])
    const calls = upstream.received.length
    await expect(openai().embeddings.create({ model: GEMINI, input: [1, 2] })).rejects.toMatchObject({
      status: 400,
      param: 'input',
      type: 'invalid_request_error',
    })
    expect(upstream.received).toHaveLength(calls)
  })

  it('[embed.split] [embed.openai] gets more embeddings of Gemini than one call has', async () => {
    const calls = upstream.received.length
    const input = Array.from({ length: 250 }, (_, index) => 'x'.repeat(index + 1))
    const { data, usage } = await openai().embeddings.create({ model: GEMINI, input, dimensions: 128 })
    expect(data.map(({ embedding }) => embedding[0])).toEqual(input.map(({ length }) => length))
    expect(usage).toEqual({ prompt_tokens: 250, total_tokens: 250 })
    expect(upstream.received.length - calls).toBe(3)
  })

  it('[embed.cost] is told the price', async () => {
    const { response } = await openai()
      .embeddings.create({ model: SMALL, input: ['a', 'b'] })
      .withResponse()
    expect(response.headers.get('x-dragoman-cost')).toBe('0.000000040')
    expect(response.headers.get('x-dragoman-path')).toBe('relay')
  })

  it.each([
    ['[embed.err.input] no input', { input: [] as string[] }, 'input'],
    ['[embed.err.dimensions] too many dimensions', { input: 'a', dimensions: 4000 }, 'dimensions'],
    ['[embed.err.most] too many inputs', { input: Array.from({ length: 2049 }, () => 'a') }, 'input'],
  ])('%s is refused before any call', async (_rows, wrong, param) => {
    const calls = upstream.received.length
    await expect(openai().embeddings.create({ model: SMALL, ...wrong })).rejects.toMatchObject({ status: 400, param })
    expect(upstream.received).toHaveLength(calls)
  })

  it('[embed.card] cannot talk to a model for embeddings', async () => {
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    await expect(openai().chat.completions.create({ model: SMALL, messages })).rejects.toMatchObject({
      status: 400,
      param: 'model',
    })
  })
})

describe('@google/genai', () => {
  it.each(MODELS)(
    '[embed.google] [embed.batch] [embed.pairs] gets embeddings of %s in its plain mode',
    async (model) => {
      const contents = ['a', 'bcd']
      const { embeddings } = await plain().models.embedContent({
        model,
        contents,
        config: { outputDimensionality: 128, taskType: 'CLUSTERING' },
      })
      expect(embeddings).toEqual(contents.map((text) => ({ values: embeddingOf(text, 128) })))
    },
  )

  it('[embed.genai.taskType] [embed.genai.title] reaches Gemini with its options', async () => {
    const config = { taskType: 'RETRIEVAL_DOCUMENT', title: 'T', outputDimensionality: 128 }
    await plain().models.embedContent({ model: GEMINI, contents: 'a', config })
    expect(last()?.body).toMatchObject({
      requests: [{ model: 'models/gemini-embedding-001', ...config, content: { parts: [{ text: 'a' }] } }],
    })
  })

  it('[embed.google] [embed.predict] [embed.predict.parameters] calls predict in its cloud mode', async () => {
    const { embeddings } = await createGenAI(server).models.embedContent({
      model: SMALL,
      contents: ['a', 'bcd'],
      config: { outputDimensionality: 3 },
    })
    expect(embeddings?.map(({ values }) => values)).toEqual([embeddingOf('a', 3), embeddingOf('bcd', 3)])
    const single = await createGenAI(server).models.embedContent({ model: SMALL, contents: 'a' })
    expect(single.embeddings?.[0]?.statistics).toEqual({ tokenCount: 1, truncated: false })
  })

  it('[embed.google] [embed.genai] [embed.genai.embedContentConfig] calls embedContent in its cloud mode', async () => {
    const { embeddings } = await createGenAI(server).models.embedContent({
      model: GEMINI,
      contents: 'abc',
      config: { outputDimensionality: 128, taskType: 'CLUSTERING' },
    })
    expect(embeddings).toEqual([{ values: embeddingOf('abc', 128), statistics: { tokenCount: 1 } }])
  })

  it('[embed.err.dimensions] gets an error of its own', async () => {
    const wrong = plain().models.embedContent({ model: SMALL, contents: 'a', config: { outputDimensionality: 9999 } })
    await expect(wrong).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('requests.0.outputDimensionality') as string,
    })
  })
})

describe('the AI SDK', () => {
  const compatible = () =>
    createOpenAICompatible({ name: 'dragoman', baseURL: `${server.url}/api/v1`, apiKey: server.key })
  const google = () => createGoogleGenerativeAI({ baseURL: `${server.url}/api/vertex-ai/v1beta`, apiKey: server.key })
  const kinds = {
    '@ai-sdk/openai-compatible': (model: string) => compatible().embeddingModel(model),
    '@ai-sdk/google': (model: string) => google().embedding(model),
  }
  for (const [name, modelOf] of Object.entries(kinds)) {
    it.each(MODELS)(`[embed.ai] [embed.pairs] embeds one value and many by ${name} with %s`, async (model) => {
      const one = await embed({ model: modelOf(model), value: 'hello' })
      expect(one.embedding).toEqual(embeddingOf('hello'))
      const many = await embedMany({ model: modelOf(model), values: ['a', 'bcd'] })
      expect(many.embeddings).toEqual([embeddingOf('a'), embeddingOf('bcd')])
    })
  }
})

describe('the simulator', () => {
  it('[embed.sim] [embed.openai] [embed.google] answers the same embeddings in every family', async () => {
    const input = ['a cat sat', 'a cat sat down']
    const byOpenAI = await openai().embeddings.create({ model: 'sim/vectors', input, dimensions: 64 })
    const again = await openai().embeddings.create({ model: 'sim/vectors-genai', input, dimensions: 64 })
    expect(again.data).toEqual(byOpenAI.data)
    const config = { outputDimensionality: 64 }
    const byGoogle = await plain().models.embedContent({ model: 'sim/vectors', contents: input, config })
    expect(byGoogle.embeddings?.map(({ values }) => values)).toEqual(byOpenAI.data.map(({ embedding }) => embedding))
    expect(byOpenAI.usage.prompt_tokens).toBeGreaterThan(0)
  })
})
