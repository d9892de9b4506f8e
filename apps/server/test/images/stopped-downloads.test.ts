import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { defineProvider, type Card } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys, createMemoryLog } from '@dragoman/gateway'
import { createDownloads, createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { it } from 'vitest'

// Upstreams that never answer, or answer with the URL of an image that begins and never ends.
const KEY = 'sk-of-a-caller'
const TOTAL_MS = 4000
const LONG_MS = 600_000

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP

/** Emits `begun` when an answer begins that does not end, and `stopped` when its connection is closed. */
function createHost(): Server {
  const host = createServer((request, response) => {
    const watch = (): void => {
      host.emit('begun')
      response.on('close', () => host.emit('stopped'))
    }
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'image/png' })
      response.write(Buffer.from('iVBORw0KGgo=', 'base64'))
      return watch()
    }
    request.resume()
    if (request.url === '/silent') return watch()
    const link = { url: `http://${request.headers.host}/endless.png` }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ created: 1, data: [link] }))
  })
  return host
}

/** A host, and a gateway whose calls may take so long. Each test has its own, because some run at the same time. */
async function start(
  total: number,
): Promise<{ readonly host: Server; readonly url: string; readonly stop: () => Promise<void> }> {
  const host = createHost()
  await listen(host)
  const at = addressOf(host)
  const card: Card = {
    name: 'one',
    input: ['text'],
    output: ['image'],
    image: { most: 2, perCall: 1, sizes: ['auto'] },
  }
  const transport = createUndiciTransport()
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
    // The image itself would have more time.
    downloads: createDownloads({ allow: ['127.0.0.1'], deadlines: { idle: LONG_MS, total: LONG_MS } }),
    deadlines: { total },
    // A caller that is gone ends its call, not the wait for usage.
    usageMs: 0,
    transport,
    log: createMemoryLog(),
  })
  const gateway = createServer(createNodeHandler(handler))
  await listen(gateway)
  const stop = async (): Promise<void> => {
    for (const server of [gateway, host]) {
      server.closeAllConnections()
      server.close()
    }
    await transport.close()
  }
  return { host, url: addressOf(gateway), stop }
}

type Scene = readonly [title: string, model: string, count: number, prompt: string]

/** A genai call, so that the answer of a chat upstream is translated. */
function draw(url: string, [, model, count, prompt]: Scene, signal?: AbortSignal): Promise<Response> {
  const [publisher, name] = model.split('/')
  return fetch(`${url}/api/vertex-ai/v1/publishers/${publisher}/models/${name}:predict`, {
    method: 'POST',
    headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ instances: [{ prompt }], parameters: { sampleCount: count } }),
    ...(signal === undefined ? {} : { signal }),
  })
}

const SCENES: readonly Scene[] = [
  ['the download for a translated answer', 'chat-double/one', 1, 'a fox'],
  ['the downloads for the answers of several calls', 'chat-double/one', 2, 'a fox'],
  ['the download for the answer of a driver', 'own-double/one', 1, 'a fox'],
  ['the call of a driver', 'own-double/one', 1, 'silence'],
]

it.for(SCENES)('%s ends when the caller is gone', async (scene, { onTestFinished }) => {
  const { host, url, stop } = await start(LONG_MS)
  onTestFinished(stop)
  const aborter = new AbortController()
  const stopped = once(host, 'stopped')
  const begun = once(host, 'begun')
  const call = draw(url, scene, aborter.signal).catch((error: unknown) => error)
  await begun
  aborter.abort()
  await stopped
  await call
})

it.concurrent.for(SCENES)('%s ends when the time of the call is over', async (scene, { expect, onTestFinished }) => {
  const { host, url, stop } = await start(TOTAL_MS)
  onTestFinished(stop)
  const stopped = once(host, 'stopped')
  const response = await draw(url, scene)
  expect(response.status).toBe(504)
  await stopped
})
