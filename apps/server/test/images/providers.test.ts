import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoogleGenAI, RawReferenceImage, type GenerateVideosOperation } from '@google/genai'
import { createGateway, createMemoryKeys } from '@dragoman/gateway'
import { createDownloads, createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { createGoogle } from '@dragoman/provider-google'
import { createKling } from '@dragoman/provider-kling'
import { createXai } from '@dragoman/provider-openai-compatible'
import {
  createScriptedUpstream,
  pngOf,
  type ScriptedAnswer,
  type ScriptedUpstream,
  type SeenCall,
} from '@dragoman/testkit'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// The official SDKs draw images and make videos with the shipped providers, at scripted upstreams.
const KEY = 'sk-of-a-caller'
const SECRET = 'secret-of-kling'
const PNG = pngOf('a kite')
const FILM = Buffer.from('not a real film')
const transport = createUndiciTransport()
let upstream: ScriptedUpstream
let server: Server
let url = ''

beforeAll(async () => {
  upstream = await createScriptedUpstream()
  upstream.answer(answer)
  const at = (path: string) => `${upstream.url}${path}`
  const gateway = createGateway({
    providers: [
      createKling({ baseURL: at('/kling'), keys: `access-1:${SECRET}` }),
      createXai({ baseURL: at('/xai'), keys: 'key-of-xai' }),
      createGoogle({ baseURL: at('/google'), keys: 'key-of-google' }),
    ],
    keys: createMemoryKeys([{ id: 'tester', secret: KEY }]),
    downloads: createDownloads({ allow: ['127.0.0.1'], http: true }),
    sealingKeys: ['sealing-key-of-this-test-0123456789'],
    transport,
  })
  server = createServer(createNodeHandler(gateway))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await transport.close()
  await upstream.close()
})

/** Answers as the vendors do. Tasks are done at the first poll. */
function answer({ method, path, headers }: SeenCall): ScriptedAnswer {
  if (path === '/files/kite.png') return { headers: { 'content-type': 'image/png' }, body: Buffer.from(PNG, 'base64') }
  if (path === '/google/files/kite') return fileOf(headers['x-goog-api-key'])
  const file = (name: string) => `${upstream.url}/files/${name}`
  const json = (body: object, status = 200): ScriptedAnswer => ({ status, body: JSON.stringify(body) })
  if (path.startsWith('/kling/')) {
    if (!isSigned(headers['authorization'])) return json({ code: 1000, message: 'Authentication failed' }, 401)
    const results = path.includes('/images/')
      ? { images: [{ index: 0, url: file('kite.png') }] }
      : { videos: [{ id: 'v1', url: file('kite.mp4'), duration: '5' }] }
    const done = { task_id: 't1', task_status: 'succeed', task_result: results }
    return json({ code: 0, data: method === 'GET' ? done : { task_id: 't1', task_status: 'submitted' } })
  }
  if (path.startsWith('/xai/images/')) return json({ data: [{ b64_json: PNG, revised_prompt: 'a red kite' }] })
  if (path === '/xai/videos/generations') return json({ request_id: 'r1' })
  if (path === '/xai/videos/r1') return json({ status: 'done', video: { url: file('kite.mp4'), duration: 6 } })
  if (method === 'POST') return json({ name: 'models/veo/operations/o1' })
  const samples = [{ video: { uri: `${upstream.url}/google/files/kite` } }]
  return json({ done: true, response: { generateVideoResponse: { generatedSamples: samples } } })
}

function fileOf(key: string | undefined): ScriptedAnswer {
  return key === 'key-of-google'
    ? { headers: { 'content-type': 'video/mp4' }, body: FILM }
    : { status: 403, body: '{}' }
}

function isSigned(authorization = ''): boolean {
  const [head, claims, signature] = authorization.replace('Bearer ', '').split('.')
  return signature === createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url')
}

const genai = () =>
  new GoogleGenAI({ apiKey: KEY, vertexai: true, httpOptions: { baseUrl: `${url}/api/vertex-ai`, apiVersion: 'v1' } })
const openai = () => new OpenAI({ baseURL: `${url}/api/v1`, apiKey: KEY, maxRetries: 0 })

describe.each(['kling/kling-v3', 'x-ai/grok-imagine-image'])('images of %s', (model) => {
  it('are drawn for @google/genai [image.sdk]', async () => {
    const { generatedImages = [] } = await genai().models.generateImages({
      model,
      prompt: 'a kite',
      config: { numberOfImages: 1, aspectRatio: '16:9' },
    })
    expect(generatedImages).toMatchObject([{ image: { imageBytes: PNG, mimeType: 'image/png' } }])
  })

  it('are edited for @google/genai [image.sdk]', async () => {
    const raw = new RawReferenceImage()
    raw.referenceId = 1
    raw.referenceImage = { imageBytes: PNG, mimeType: 'image/png' }
    const { generatedImages = [] } = await genai().models.editImage({ model, prompt: 'redder', referenceImages: [raw] })
    expect(generatedImages[0]?.image?.imageBytes).toBe(PNG)
    const sent = upstream.seen.findLast(({ method }) => method === 'POST')
    expect(sent?.text).toContain(PNG)
  })

  it('are edited by the URL of an image, which the upstream opens itself [image.references]', async () => {
    const raw = new RawReferenceImage()
    raw.referenceId = 1
    raw.referenceImage = { gcsUri: `${upstream.url}/files/kite.png`, mimeType: 'image/png' }
    await genai().models.editImage({ model, prompt: 'redder', referenceImages: [raw] })
    const sent = upstream.seen.findLast(({ method }) => method === 'POST')
    expect(sent?.text).toContain(`"${upstream.url}/files/kite.png"`)
  })

  it('are drawn for openai, streamed and not [images.generations.json] [images.emulated]', async () => {
    const { data = [] } = await openai().images.generate({ model, prompt: 'a kite', size: '1024x1024' })
    expect(data[0]?.b64_json).toBe(PNG)
    const stream = await openai().images.generate({ model, prompt: 'a kite', stream: true })
    const events: string[] = []
    for await (const event of stream) events.push(`${event.type} ${event.b64_json === PNG}`)
    expect(events).toEqual(['image_generation.completed true'])
  })
})

describe('videos for @google/genai [video.sdk]', () => {
  async function film(model: string): Promise<string | undefined> {
    let operation: GenerateVideosOperation = await genai().models.generateVideos({ model, prompt: 'a kite' })
    expect(operation.name).toMatch(new RegExp(`^publishers/[^/]+/models/${model.split('/')[1]}/operations/`))
    operation = await genai().operations.getVideosOperation({ operation })
    expect(operation.done).toBe(true)
    return operation.response?.generatedVideos?.[0]?.video?.uri
  }

  it.each(['kling/kling-v3', 'x-ai/grok-imagine-video'])('come from %s', async (model) => {
    expect(await film(model)).toBe(`${upstream.url}/files/kite.mp4`)
  })

  describe('with frames by URL', () => {
    const frame = () => ({ gcsUri: `${upstream.url}/files/kite.png`, mimeType: 'image/png' })
    const submit = (model: string, config: object = {}) =>
      genai().models.generateVideos({ model, source: { prompt: 'a kite', image: frame() }, config })

    it('reach Veo with their bytes [video.image] [video.lastFrame]', async () => {
      await submit('google/veo-3.1-generate-001', { lastFrame: frame(), durationSeconds: 8 })
      const bytes = { bytesBase64Encoded: PNG, mimeType: 'image/png' }
      const sent = upstream.seen.findLast(({ method }) => method === 'POST')
      expect(sent?.body).toMatchObject({
        instances: [{ image: bytes, lastFrame: bytes }],
      })
    })

    it('reach Kling and xAI as URLs [video.image]', async () => {
      for (const model of ['kling/kling-v3', 'x-ai/grok-imagine-video']) {
        await submit(model)
        const sent = upstream.seen.findLast(({ method }) => method === 'POST')
        expect(sent?.text).toContain(`"${frame().gcsUri}"`)
      }
    })

    it('are refused as a 400 that names the frame, before any upstream call [err.native] (trap 34)', async () => {
      const before = upstream.seen.length
      const call = genai().models.generateVideos({
        model: 'google/veo-3.1-generate-001',
        source: { prompt: 'a kite', image: { imageBytes: PNG, mimeType: 'image/png' } },
        config: { lastFrame: { gcsUri: 'https://[::ffff:10.0.0.1]/a.png', mimeType: 'image/png' }, durationSeconds: 8 },
      })
      await expect(call).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(
          'instances.0.lastFrame.gcsUri: the host of the URL has no public address',
        ) as string,
      })
      expect(upstream.seen).toHaveLength(before)
    })
  })

  it('come from google/veo-3.1-generate-001, and the gateway serves the file that needs the key', async () => {
    const uri = (await film('google/veo-3.1-generate-001')) ?? ''
    expect(uri).not.toContain(upstream.url)
    const file = await fetch(uri)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(Buffer.from(await file.arrayBuffer())).toEqual(FILM)
  })
})
