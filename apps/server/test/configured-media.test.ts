import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  acceptChatEmbeddings,
  createScriptedUpstream,
  pngOf,
  type ScriptedAnswer,
  type ScriptedUpstream,
  type SeenCall,
} from '@dragoman/testkit'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGenAI } from './clients/genai.ts'
import { startServer, type ServerProcess } from './process.ts'

// Models that no package knows are configured with their facts, and serve images, videos and embeddings.
const PNG = pngOf('a kite')
const FILM = Buffer.from('....ftypisom')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-media-'))
let upstream: ScriptedUpstream
let server: ServerProcess

const usd = (value: number, unit: string) => [{ value, unit, currency: 'USD' }]

function config(): object {
  const at = (path: string): string => `${upstream.url}${path}`
  return {
    providers: {
      house: {
        baseURL: at('/house'),
        key: '${HOUSE_KEY}',
        models: [
          {
            name: 'brush-9',
            display: 'Brush 9',
            image: { most: 2, references: 1, mask: true, sizes: ['1024x1024'], ratios: ['1:1'], takes: ['quality'] },
            prices: { image: usd(0.04, 'perCount') },
          },
          {
            name: 'vectors-9',
            embedding: { dimensions: 4, perCall: 2 },
            prices: { prompt: usd(0.5, 'perMTokens') },
          },
        ],
      },
      google: {
        baseURL: at('/google'),
        key: '${GOOGLE_KEY}',
        models: [
          { name: 'imagen-9', image: { most: 4, ratios: ['1:1', '16:9'] }, protocols: ['genai'] },
          {
            name: 'veo-9',
            video: { seconds: [4, 8], defaultSeconds: 4, resolutions: ['720p'], audio: 'always' },
            prices: { audio_and_video: usd(0.25, 'perSecond') },
          },
        ],
      },
      kling: {
        baseURL: at('/kling'),
        key: '${KLING_KEY}',
        models: [{ name: 'kling-v9', upstream: 'kling-v9-pro', image: { most: 9, ratios: ['1:1'] } }],
      },
    },
    downloads: { allow: ['127.0.0.1'] },
  }
}

beforeAll(async () => {
  upstream = await createScriptedUpstream()
  upstream.answer(answer)
  const file = join(folder, 'dragoman.config.json')
  writeFileSync(file, JSON.stringify(config()))
  server = await startServer({ DRAGOMAN_CONFIG: file, HOUSE_KEY: 'h', GOOGLE_KEY: 'g', KLING_KEY: 'access:secret' })
})
afterAll(async () => {
  await server.stop()
  await upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Answers as the vendors do. */
function answer({ method, path, body }: SeenCall): ScriptedAnswer {
  const json = (value: object): ScriptedAnswer => ({ body: JSON.stringify(value) })
  if (path.startsWith('/house/images/')) return json({ created: 1, data: [{ b64_json: PNG }] })
  if (path === '/house/embeddings') {
    acceptChatEmbeddings(body)
    const { input } = body as { readonly input: string | readonly string[] } // accepted
    const data = [input]
      .flat()
      .map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 0, 0, 1] }))
    return json({ object: 'list', model: 'vectors-9', data, usage: { prompt_tokens: 10, total_tokens: 10 } })
  }
  if (path.endsWith(':predict')) return json({ predictions: [{ bytesBase64Encoded: PNG, mimeType: 'image/png' }] })
  if (path.endsWith(':predictLongRunning')) return json({ name: 'models/veo-9/operations/o1' })
  if (path === '/google/files/kite') return { headers: { 'content-type': 'video/mp4' }, body: FILM }
  if (path === '/files/kite.png') return { headers: { 'content-type': 'image/png' }, body: Buffer.from(PNG, 'base64') }
  if (path.startsWith('/kling/'))
    return json({
      code: 0,
      data:
        method === 'POST'
          ? { task_id: 't1', task_status: 'submitted' }
          : {
              task_id: 't1',
              task_status: 'succeed',
              task_result: { images: [{ index: 0, url: `${upstream.url}/files/kite.png` }] },
            },
    })
  const generatedSamples = [{ video: { uri: `${upstream.url}/google/files/kite` } }]
  return json({ done: true, response: { generateVideoResponse: { generatedSamples } } })
}

const openai = () => new OpenAI({ baseURL: `${server.url}/api/v1`, apiKey: server.key, maxRetries: 0 })
const genai = () => createGenAI({ url: server.url, key: server.key })
const lastPost = (): SeenCall | undefined => upstream.seen.findLast(({ method }) => method === 'POST')
const costOf = async (model: string): Promise<unknown> => {
  const { cost } = await server.logged((line) => line['model'] === model && line['cost'] !== undefined)
  return cost
}

describe('a configured model that draws', () => {
  it('draws for openai by the images API of its provider, at its configured price', async () => {
    const drawn = await openai().images.generate({ model: 'house/brush-9', prompt: 'a kite', quality: 'high' })
    expect(drawn.data?.[0]?.b64_json).toBe(PNG)
    expect(lastPost()).toMatchObject({ path: '/house/images/generations', body: { model: 'brush-9', quality: 'high' } })
    expect(await costOf('house/brush-9')).toMatchObject({ total: 40_000_000, images: 40_000_000 })
  })

  it('edits for openai, and draws for @google/genai', async () => {
    const image = await toFile(Buffer.from(PNG, 'base64'), 'kite.png', { type: 'image/png' })
    const edited = await openai().images.edit({ model: 'house/brush-9', prompt: 'redder', image })
    expect(edited.data?.[0]?.b64_json).toBe(PNG)
    expect(lastPost()?.path).toBe('/house/images/edits')
    const drawn = await genai().models.generateImages({ model: 'house/brush-9', prompt: 'a kite' })
    expect(drawn.generatedImages?.[0]?.image?.imageBytes).toBe(PNG)
  })

  it('refuses what its facts do not have, before any call', async () => {
    const before = upstream.seen.length
    const asked = openai().images.generate({ model: 'house/brush-9', prompt: 'a kite', n: 3 })
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'n' })
    const talked = openai().chat.completions.create({
      model: 'house/brush-9',
      messages: [{ role: 'user', content: 'a' }],
    })
    await expect(talked).rejects.toMatchObject({ status: 400 })
    expect(upstream.seen).toHaveLength(before)
  })

  it('draws by the predict API and by the own API of known providers', async () => {
    const config = { aspectRatio: '16:9' }
    const predicted = await genai().models.generateImages({ model: 'google/imagen-9', prompt: 'a kite', config })
    expect(predicted.generatedImages?.[0]?.image?.imageBytes).toBe(PNG)
    expect(lastPost()).toMatchObject({
      path: '/google/models/imagen-9:predict',
      body: { parameters: { aspectRatio: '16:9' } },
    })
    const drawn = await openai().images.generate({ model: 'kling/kling-v9', prompt: 'a kite' })
    expect(drawn.data?.[0]?.b64_json).toBe(PNG)
    expect(lastPost()).toMatchObject({ path: '/kling/images/generations', body: { model_name: 'kling-v9-pro' } })
  })
})

it('a configured model generates videos for @google/genai, at its configured price', async () => {
  const config = { durationSeconds: 8 }
  let operation = await genai().models.generateVideos({ model: 'google/veo-9', prompt: 'a kite', config })
  expect(lastPost()).toMatchObject({
    path: '/google/models/veo-9:predictLongRunning',
    body: { parameters: { durationSeconds: 8 } },
  })
  operation = await genai().operations.getVideosOperation({ operation })
  const file = await fetch(operation.response?.generatedVideos?.[0]?.video?.uri ?? '')
  expect(Buffer.from(await file.arrayBuffer())).toEqual(FILM)
  expect(await costOf('google/veo-9')).toMatchObject({ total: 2_000_000_000 })
  const wrong = genai().models.generateVideos({
    model: 'google/veo-9',
    prompt: 'a kite',
    config: { durationSeconds: 5 },
  })
  await expect(wrong).rejects.toMatchObject({ status: 400 })
})

it('a configured model embeds for openai and @google/genai, in calls of its size, at its configured price', async () => {
  const input = ['a', 'bcd', 'ef']
  const { data } = await openai().embeddings.create({ model: 'house/vectors-9', input, encoding_format: 'float' })
  expect(data.map(({ embedding }) => embedding)).toEqual(input.map((text) => [text.length, 0, 0, 1]))
  expect(upstream.seen.filter(({ path }) => path === '/house/embeddings')).toHaveLength(2)
  expect(await costOf('house/vectors-9')).toMatchObject({ total: 10_000, prompt: 10_000 })
  const { embeddings } = await genai().models.embedContent({ model: 'house/vectors-9', contents: 'four' })
  expect(embeddings?.[0]?.values).toEqual([4, 0, 0, 1])
})

it('configured models are listed with their facts', async () => {
  const list = (await (await fetch(`${server.url}/api/v1/models`)).json()) as {
    readonly data: readonly { readonly id: string }[]
  }
  const of = (id: string) => list.data.find((entry) => entry.id === id)
  expect(of('house/brush-9')).toMatchObject({
    display_name: 'Brush 9',
    input_modalities: ['text', 'image'],
    output_modalities: ['image'],
    pricings: { image: [{ value: 0.04, unit: 'perCount', currency: 'USD' }] },
  })
  expect(of('google/veo-9')).toMatchObject({ input_modalities: ['text'], output_modalities: ['video', 'audio'] })
  expect(of('house/vectors-9')).toMatchObject({ input_modalities: ['text'], output_modalities: [] })
})
