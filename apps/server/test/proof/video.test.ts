import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GenerateVideosOperation, GenerateVideosParameters } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGenAI } from '../clients/genai.ts'
import { startServer, type ServerProcess } from '../process.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const FRAME = { imageBytes: PNG, mimeType: 'image/png' }
const UPSTREAM_KEY = 'AIza-upstream-secret'
const FILM = Buffer.from('....ftypisom of Veo')

const folder = mkdtempSync(join(tmpdir(), 'dragoman-video-'))
const received: { readonly method: string; readonly path: string; readonly body: unknown }[] = []
let veo: Server
let server: ServerProcess
let veoUrl: string

beforeAll(async () => {
  veo = createServer(
    (request, response) =>
      void answer(request).then(({ status, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body),
      ),
  )
  await new Promise<void>((resolve) => veo.listen(0, '127.0.0.1', resolve))
  veoUrl = `http://127.0.0.1:${(veo.address() as AddressInfo).port}` // it listens on TCP
  server = await begin()
})

afterAll(async () => {
  await server.stop()
  veo.closeAllConnections()
  veo.close()
  rmSync(folder, { recursive: true, force: true })
})

const begin = (): Promise<ServerProcess> =>
  startServer({
    DRAGOMAN_DATA: folder,
    DRAGOMAN_SIM: 'on',
    GEMINI_API_KEY: UPSTREAM_KEY,
    GEMINI_BASE_URL: `${veoUrl}/v1beta`,
  })

/** The Gemini API: an operation is done at the second poll, and its file needs the key. */
async function answer(request: IncomingMessage): Promise<{ status: number; type: string; body: Buffer }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // without an encoding
  const text = Buffer.concat(chunks).toString()
  const { method = '', url: path = '' } = request
  received.push({ method, path, body: text === '' ? undefined : JSON.parse(text) })
  const json = (status: number, body: object) => ({
    status,
    type: 'application/json',
    body: Buffer.from(JSON.stringify(body)),
  })
  if (request.headers['x-goog-api-key'] !== UPSTREAM_KEY) return json(401, { error: { code: 401 } })
  if (path.endsWith(':predictLongRunning')) return json(200, { name: 'models/veo-3.1-generate-preview/operations/abc' })
  if (path.includes('/files/')) return { status: 200, type: 'video/mp4', body: FILM }
  const polls = received.filter((each) => each.path === path).length
  if (polls < 2) return json(200, { name: path.slice('/v1beta/'.length) })
  const generatedSamples = [{ video: { uri: `${veoUrl}/v1beta/files/xyz:download?alt=media` } }]
  return json(200, { name: path, done: true, response: { generateVideoResponse: { generatedSamples } } })
}

/** Submits and polls to the end, as the documentation of the SDK shows. */
async function generate(parameters: GenerateVideosParameters, from = server): Promise<GenerateVideosOperation> {
  const ai = createGenAI({ url: from.url, key: from.key })
  let operation = await ai.models.generateVideos(parameters)
  for (let polls = 0; operation.done !== true && polls < 100; polls++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    operation = await ai.operations.getVideosOperation({ operation })
  }
  return operation
}

async function download(operation: GenerateVideosOperation, index = 0): Promise<Buffer> {
  const response = await fetch(operation.response?.generatedVideos?.[index]?.video?.uri ?? '')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  return Buffer.from(await response.arrayBuffer())
}

describe('the official SDK', () => {
  it('[video.sdk] generates videos with the simulator, from a text', async () => {
    const operation = await generate({
      model: 'sim/film',
      prompt: 'A lighthouse at night.',
      config: { numberOfVideos: 2 },
    })
    expect(operation.name).toMatch(/^publishers\/sim\/models\/film\/operations\/[\w-]+$/)
    expect(operation.error).toBeUndefined()
    expect(operation.response?.generatedVideos).toMatchObject([
      { video: { uri: expect.stringContaining(server.url) as string, mimeType: 'video/mp4' } },
      { video: { mimeType: 'video/mp4' } },
    ])
    for (const index of [0, 1]) expect((await download(operation, index)).subarray(4, 8).toString()).toBe('ftyp')
  })

  it('[video.sdk] [video.image] [video.lastFrame] generates a transition between two images', async () => {
    const operation = await generate({
      model: 'sim/film',
      image: FRAME,
      config: { lastFrame: FRAME, aspectRatio: '9:16' },
    })
    expect((await download(operation)).subarray(4, 8).toString()).toBe('ftyp')
  })

  it('[video.sdk] generates videos with Veo, with every parameter that it has', async () => {
    received.length = 0
    const operation = await generate({
      model: 'google/veo-3.1-generate-001',
      prompt: 'A cat.',
      image: FRAME,
      config: {
        lastFrame: FRAME,
        numberOfVideos: 2,
        aspectRatio: '9:16',
        resolution: '1080p',
        durationSeconds: 8,
        negativePrompt: 'dogs',
        personGeneration: 'allow_adult',
        generateAudio: true,
      },
    })
    expect(received[0]).toMatchObject({
      path: '/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
      body: {
        instances: [
          {
            prompt: 'A cat.',
            image: { bytesBase64Encoded: PNG, mimeType: 'image/png' },
            lastFrame: { bytesBase64Encoded: PNG, mimeType: 'image/png' },
          },
        ],
        parameters: {
          sampleCount: 2,
          aspectRatio: '9:16',
          resolution: '1080p',
          durationSeconds: 8,
          negativePrompt: 'dogs',
          personGeneration: 'allow_adult',
        },
      },
    })
    expect(received.filter(({ path }) => path.includes('/operations/')).map(({ method }) => method)).toEqual([
      'GET',
      'GET',
    ])
    expect(await download(operation)).toEqual(FILM)
    expect(JSON.stringify([operation, server.lines])).not.toContain(UPSTREAM_KEY)
  })

  it('[video.sdk] [video.state.failed] keeps the error of an operation that failed', async () => {
    const operation = await generate({ model: 'sim/film', prompt: 'A cat [[fail]]' })
    expect(operation.done).toBe(true)
    expect(operation.error).toMatchObject({ code: expect.any(Number) as number, message: expect.any(String) as string })
  })

  it('[video.sdk] [video.state.blocked] sees what was blocked', async () => {
    const operation = await generate({ model: 'sim/film', prompt: 'A cat [[block]]' })
    expect(operation.response).toMatchObject({
      raiMediaFilteredCount: 1,
      raiMediaFilteredReasons: [expect.any(String)],
    })
  })

  it('[video.sdk] raises its own error for a parameter that the model does not have', async () => {
    const ai = createGenAI({ url: server.url, key: server.key })
    const refused = ai.models.generateVideos({
      model: 'google/veo-3.1-generate-001',
      prompt: 'a',
      config: { durationSeconds: 5 },
    })
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('parameters.durationSeconds') as string,
    })
  })
})

describe('a server with a data folder', () => {
  it('[video.restart] keeps its sealing key there, for its owner alone, and knows its operations after a restart', async () => {
    const ai = createGenAI({ url: server.url, key: server.key })
    const { name = '' } = await ai.models.generateVideos({ model: 'sim/film', prompt: 'A cat.' })
    const file = join(folder, 'sealing-key')
    const sealingKey = readFileSync(file, 'utf8').trim()
    expect(sealingKey.length).toBeGreaterThanOrEqual(32)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(server.lines.join('\n')).not.toContain(sealingKey)
    await server.stop()
    server = await begin()
    const response = await fetch(`${server.url}/api/vertex-ai/v1/publishers/sim/models/film:fetchPredictOperation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ operationName: name }),
    })
    expect([response.status, await response.json()]).toMatchObject([200, { name }])
  })
})
