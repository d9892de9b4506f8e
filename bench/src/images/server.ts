import { once } from 'node:events'
import { createServer } from 'node:http'
import { defineProvider, type Card } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys } from '@dragoman/gateway'
import { createNodeHandler, createThreadOffload, createUndiciTransport } from '@dragoman/gateway-node'

export const KEY = 'bench-caller-key'

/** A gateway as `apps/server` runs it, with one model that draws in each protocol. */
export async function serveImages(port: number, upstreamPort: number): Promise<void> {
  const card: Card = {
    name: 'painter',
    input: ['text', 'image'],
    output: ['image'],
    image: { most: 4, references: 4, mask: true, formats: ['image/png'] },
  }
  const providers = ['chat', 'genai'].map((protocol) =>
    defineProvider({
      name: protocol,
      models: [card],
      endpoints: { [protocol]: `http://127.0.0.1:${upstreamPort}/${protocol}` },
    }),
  )
  const gateway = createGateway({
    providers,
    keys: createMemoryKeys([{ id: 'bench', secret: KEY }]),
    transport: createUndiciTransport(),
    offload: createThreadOffload(),
    limits: { body: 64 * 1024 * 1024, part: 64 * 1024 * 1024 },
  })
  const handle = createNodeHandler(gateway)
  const server = createServer((request, response) => {
    if (request.url === '/healthz') response.end()
    else handle(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
