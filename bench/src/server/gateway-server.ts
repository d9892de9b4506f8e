import { createServer } from 'node:http'
import { defineProvider, protocols } from '@dragoman/core'
import { createGateway, createMemoryKeys, describeEntry } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import express from 'express'
import { destination, pino } from 'pino'

/** What callers of the measured gateway say. */
export const CALLER_KEY = 'bench-caller-key'

/**
 * Composed like apps/server, which serves its own simulated upstream and no other: Express, the gateway behind it with keys,
 * routing, metering and a log line per answer. Its one provider speaks every protocol, one model each.
 */
export function serveGateway(port: number, upstream: number): void {
  const logger = pino({ base: null }, destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 250 }))

  const gateway = createGateway({
    providers: [
      defineProvider({
        name: 'bench',
        models: protocols.map(({ name }) => ({
          name: `${name}-1`,
          input: ['text'],
          output: ['text'],
          maxOutput: 32_000,
          protocols: [name],
        })),
        endpoints: Object.fromEntries(protocols.map(({ name }) => [name, `http://127.0.0.1:${upstream}/${name}`])),
        auth: { header: 'authorization', prefix: 'Bearer ' },
        key: 'bench-upstream-key',
      }),
    ],
    transport: createUndiciTransport(),
    keys: createMemoryKeys([{ id: 'bench', secret: CALLER_KEY }]),
    log: { write: (entry) => logger.info(describeEntry(entry), 'answered') },
  })

  // As the server composes it: calls of the API do not pass through Express.
  const app = express()
  app.disable('x-powered-by')
  const handle = createNodeHandler(gateway)
  app.use(handle)
  const isCall = (url: string | undefined): boolean => protocols.some(({ http }) => url?.startsWith(`${http.base}/`))
  const server = createServer((request, response) => {
    if (isCall(request.url)) handle(request, response)
    else app(request, response)
  })
  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1')
}
