import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pngOf } from '@dragoman/testkit'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorker, type RunningWorker } from './workerd.ts'

const KEY = 'sk-worker-test-0123456789'
const PNG = pngOf('a kite')
const MODELS = [
  'plain',
  { name: 'brush', image: { most: 2 }, prices: { image: [{ value: 0.04, unit: 'perCount', currency: 'USD' }] } },
  { name: 'vectors', embedding: { dimensions: 2 } },
]

describe('models with facts in a variable of the worker', () => {
  let upstream: Server
  let worker: RunningWorker
  beforeAll(async () => {
    upstream = createServer((request, response) => {
      const isImage = request.url === '/v1/images/generations'
      const data = isImage ? [{ b64_json: PNG }] : [{ object: 'embedding', index: 0, embedding: [1, 2] }]
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ created: 1, object: 'list', model: 'm', data, usage: { prompt_tokens: 1 } }))
      })
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo // it listens on TCP
    worker = await startWorker({
      DRAGOMAN_KEYS: KEY,
      OPENAI_API_KEY: 'sk-upstream',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      DRAGOMAN_OPENAI_MODELS: JSON.stringify(MODELS),
    })
  })
  afterAll(async () => {
    await worker.stop()
    upstream.closeAllConnections()
    upstream.close()
  })
  const openai = () => new OpenAI({ baseURL: `${worker.url}/api/v1`, apiKey: KEY, maxRetries: 0 })

  it('are served and priced', async () => {
    const { data, response } = await openai()
      .images.generate({ model: 'openai/brush', prompt: 'a kite' })
      .withResponse()
    expect(data.data?.[0]?.b64_json).toBe(PNG)
    expect(response.headers.get('x-dragoman-cost')).toBe('0.040000000')
    const embedded = await openai().embeddings.create({ model: 'openai/vectors', input: 'a', encoding_format: 'float' })
    expect(embedded.data[0]?.embedding).toEqual([1, 2])
    const refused = openai().images.generate({ model: 'openai/brush', prompt: 'a kite', n: 3 })
    await expect(refused).rejects.toMatchObject({ status: 400, param: 'n' })
  })

  it('are listed beside plain names', async () => {
    const ids = (await openai().models.list()).data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['openai/plain', 'openai/brush', 'openai/vectors']))
  })
})
