import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCatalogueKeys, signCatalogue, type CatalogueKeyPair } from '@dragoman/core/catalogue'

/** A publisher of catalogues: its keys, and a server whose answers the test writes. */
export interface Publisher extends CatalogueKeyPair {
  readonly url: string
  /** The requests that it received. */
  readonly requests: readonly IncomingMessage[]
  answer: (response: ServerResponse, request: IncomingMessage) => void
  /** The time of the next request. */
  next(): Promise<number>
  /** A signed file with this content. */
  sign(content: object | string): Promise<string>
  /** Serves a text from now on. */
  serve(text: string): void
  close(): Promise<void>
}

export async function startPublisher(): Promise<Publisher> {
  const pair = await createCatalogueKeys()
  const requests: IncomingMessage[] = []
  let waiting: ((time: number) => void)[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    for (const resolve of waiting) resolve(Date.now())
    waiting = []
    publisher.answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const publisher: Publisher = {
    ...pair,
    url: `http://127.0.0.1:${port}/a-path-with-a-canary/catalogue.json`,
    requests,
    answer: (response) => response.writeHead(404).end(),
    next: () => new Promise((resolve) => void waiting.push(resolve)),
    sign: (content) =>
      signCatalogue(typeof content === 'string' ? content : JSON.stringify(content), [pair.privateKey]),
    serve(text) {
      publisher.answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return publisher
}

/** A content with one price of one model of OpenAI, and a model that no package has. */
export function contentOf(version: number, prompt = version, more: object = {}): object {
  const price = (value: number) => [{ value, unit: 'perMTokens', currency: 'USD' }]
  const models = {
    'gpt-5.4': { prices: { prompt: price(prompt) } },
    'gpt-of-tomorrow': { context: 500_000, maxOutput: 9000, prices: { prompt: price(prompt), completion: price(0) } },
  }
  return { version, issued: '2026-11-17T09:00:00Z', providers: { openai: { models: { ...models, ...more } } } }
}
