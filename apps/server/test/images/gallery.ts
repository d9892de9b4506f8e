import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Source } from '@dragoman/core'
import type { ImageFacts } from '@dragoman/core/media'
import { defineProvider, imageUrl, type Card } from '@dragoman/core/provider'
import {
  createGateway,
  createMemoryKeys,
  createMemoryLedger,
  createMemoryLog,
  type GatewayOptions,
} from '@dragoman/gateway'
import { createDownloads, createNodeHandler, createThreadOffload, createUndiciTransport } from '@dragoman/gateway-node'
import { createImagesDouble, createPredictDouble, pngOf, type Double } from '@dragoman/testkit'

export const KEY = 'sk-gallery'

/** A gateway with strict upstreams of every kind that draws. */
export interface Gallery {
  readonly url: string
  readonly openai: Double
  readonly google: Double
  /** The bodies that the API of its own received. */
  readonly own: readonly object[]
  readonly ledger: ReturnType<typeof createMemoryLedger>
  readonly log: ReturnType<typeof createMemoryLog>
  close(): Promise<void>
}

const DOWNLOADS: Pick<GatewayOptions, 'downloads'> = { downloads: createDownloads({ allow: ['127.0.0.1'] }) }

const SHARED: ImageFacts = {
  most: 4,
  references: 4,
  mask: true,
  ratios: ['1:1', '16:9', '3:2'],
  sizes: ['auto', '1024x1024', '1536x1024', '1024x1536'],
  formats: ['image/png', 'image/jpeg'],
}

const GPT: ImageFacts = {
  ...SHARED,
  most: 10,
  references: 16,
  partials: 3,
  pixels: { '1K': { '1:1': '1024x1024', '3:2': '1536x1024' } },
  words: { quality: ['low', 'medium', 'high', 'auto'], background: ['opaque', 'transparent', 'auto'] },
  takes: ['quality', 'background', 'compression', 'safety'],
}

/** The models of the gallery by how they draw. */
export const MODELS = {
  openai: 'openai-double/gpt-image-2',
  imagen: 'google-double/imagen',
  gemini: 'google-double/gemini-image',
  own: 'own-double/own-image',
} as const

export async function openGallery(options: Pick<GatewayOptions, 'downloads' | 'limits'> = DOWNLOADS): Promise<Gallery> {
  const openai = await createImagesDouble()
  const google = await createPredictDouble()
  const own = await createOwnUpstream()
  const ledger = createMemoryLedger()
  const log = createMemoryLog()
  const transport = createUndiciTransport()
  const offload = createThreadOffload()
  const gateway = createGateway({
    providers: [
      defineProvider({
        name: 'openai-double',
        models: [card('gpt-image-2', { image: GPT, prices: { image: [price(0.04)] } })],
        endpoints: { chat: `${openai.url}/v1` },
        auth: { header: 'authorization', prefix: 'Bearer ' },
        key: 'sk-openai',
      }),
      defineProvider({
        name: 'google-double',
        models: [
          card('imagen', {
            upstream: 'imagen-double',
            image: { ...SHARED, takes: ['enhance', 'seed', 'explainBlocks', 'negativePrompt'] },
            prices: { image: [price(0.02)] },
          }),
          card('gemini-image', {
            upstream: 'gemini-image-double',
            image: { via: 'generate', most: 4, references: 3, ratios: ['1:1', '16:9', '3:2'], formats: ['image/png'] },
          }),
        ],
        endpoints: { genai: `${google.url}/v1beta` },
        auth: { header: 'x-goog-api-key' },
        key: 'sk-google',
      }),
      own.provider,
    ],
    keys: createMemoryKeys([{ id: 'tester', secret: KEY }]),
    ...options,
    transport,
    offload,
    ledger,
    log,
  })
  const server = createServer(createNodeHandler(gateway))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    openai,
    google,
    own: own.received,
    ledger,
    log,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([openai.close(), google.close(), own.close(), transport.close(), offload.close()])
    },
  }
}

function card(name: string, more: Partial<Card>): Card {
  return { name, input: ['text', 'image'], output: ['image'], ...more }
}

function price(value: number) {
  return { value, unit: 'perCount', currency: 'USD' } as const
}

/** The given images. */
function sourcesOf(images: readonly { readonly source?: Source }[] = []): string[] {
  return images.map(({ source }) => (source === undefined ? '' : imageUrl(source)))
}

/** An upstream with an API of its own: it answers with the URL of an image, which anybody can open. */
async function createOwnUpstream() {
  const received: object[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const png = Buffer.from(pngOf('drawn by its own API', 12, 8), 'base64')
      response.writeHead(200, { 'content-type': 'image/png' }).end(png)
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()) as object)
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ link: `http://${request.headers.host}/image` }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const provider = defineProvider({
    name: 'own-double',
    models: [card('own-image', { image: { most: 2, perCall: 1, ratios: ['1:1'], references: 2, mask: true } })],
    urls: { own: false },
    endpoints: { own: `http://127.0.0.1:${port}` },
    drivers: {
      image: {
        async draw({ prompt, settings, references, mask }, upstream, losses) {
          if (settings.seed !== undefined) losses.dropped(['settings', 'seed'], 'it has no seeds')
          const answer = await upstream.send(
            { path: '/draw', headers: {} },
            { prompt, given: [...sourcesOf(references), ...sourcesOf(mask && [mask])] },
          )
          const { link } = JSON.parse(answer.text()) as { link: string }
          return { images: [{ source: { kind: 'url', url: link } }] }
        },
      },
    },
  })
  return {
    provider,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
