import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { defineProvider, type Card } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys, createMemoryLog } from '@dragoman/gateway'
import { createDownloads, createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Upstreams that never answer, or answer with the URL of a picture that begins and never ends.
const KEY = 'sk-of-a-caller'
const TOTAL_MS = 4000
const log = createMemoryLog()
const transport = createUndiciTransport()
let host: Server
let gateway: Server
let url = ''

beforeAll(async () => {
  host = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'image/png' })
      response.write(Buffer.from('iVBORw0KGgo=', 'base64'))
      watch(response)
      return
    }
    request.resume()
    if (request.url === '/silent') return watch(response)
    const link = { url: `http://${request.headers.host}/endless.png` }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ created: 1, data: [link] }))
  })
  await listen(host)
  const at = addressOf(host)
  const card: Card = {
    name: 'one',
    input: ['text'],
    output: ['image'],
    image: { most: 2, perCall: 1, sizes: ['auto'] },
  }
  const handler = createGateway({
    providers: [
      defineProvider({ name: 'chat-double', models: [card], endpoints: { chat: at } }),
      defineProvider({
        name: 'own-double',
        models: [card],
        endpoints: { own: at },
        drivers: {
          image: {
            async draw({ prompt }, upstream) {
              const answer = await upstream.send({ path: prompt === 'silence' ? '/silent' : '/draw', headers: {} }, {})
              const { data } = JSON.parse(answer.text()) as { data: { url: string }[] }
              return { images: data.map((each) => ({ source: { kind: 'url', url: each.url } })) }
            },
          },
        },
      }),
    ],
    keys: createMemoryKeys([{ id: 'tester', secret: KEY }]),
    // The picture itself would have more time.
    downloads: createDownloads({ allow: ['127.0.0.1'], deadlines: { idle: 600_000, total: 600_000 } }),
    deadlines: { total: TOTAL_MS },
    transport,
    log,
  })
  gateway = createServer(createNodeHandler(handler))
  await listen(gateway)
  url = addressOf(gateway)
})
afterAll(async () => {
  for (const server of [gateway, host]) {
    server.closeAllConnections()
    server.close()
  }
  await transport.close()
})

/** Tells when an answer begins, and when its connection is closed. */
function watch(response: ServerResponse): void {
  host.emit('begun')
  response.on('close', () => host.emit('stopped'))
}

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP

/** A genai call, so that the answer of a chat upstream is translated. */
function draw(model: string, count: number, prompt: string, signal?: AbortSignal): Promise<Response> {
  const [publisher, name] = model.split('/')
  return fetch(`${url}/api/vertex-ai/v1/publishers/${publisher}/models/${name}:predict`, {
    method: 'POST',
    headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ instances: [{ prompt }], parameters: { sampleCount: count } }),
    ...(signal === undefined ? {} : { signal }),
  })
}

const SCENES = [
  ['the download for a translated answer', 'chat-double/one', 1, 'a fox'],
  ['the downloads for the answers of several calls', 'chat-double/one', 2, 'a fox'],
  ['the download for the answer of a driver', 'own-double/one', 1, 'a fox'],
  ['the call of a driver', 'own-double/one', 1, 'silence'],
] as const

describe.each(SCENES)('%s', (_title, model, count, prompt) => {
  it('ends when the caller is gone', async () => {
    const aborter = new AbortController()
    const stopped = once(host, 'stopped')
    const begun = once(host, 'begun')
    const call = draw(model, count, prompt, aborter.signal).catch((error: unknown) => error)
    await begun
    aborter.abort()
    await stopped
    await call
  })

  it('ends when the time of the call is over', async () => {
    const stopped = once(host, 'stopped')
    const response = await draw(model, count, prompt)
    expect(response.status).toBe(504)
    await stopped
  })
})
