import type { RequestListener } from 'node:http'
import { protocols, type Provider } from '@dragoman/core'
import { createGateway, createMemoryKeys, type Gateway, type KeyEntry, type Log } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import express from 'express'
import type { UnsupportedFields } from './settings.ts'

export interface AppOptions {
  readonly providers: readonly Provider[]
  readonly keys: readonly KeyEntry[]
  readonly origins: readonly string[] | '*'
  readonly unsupportedFields: UnsupportedFields
  readonly log: Log
}

export interface App {
  /** For `http.createServer`. */
  readonly listener: RequestListener
  readonly gateway: Gateway
}

/**
 * Composes the gateway with Express beside it: pages and whatever an operator adds go through Express, calls of the API do not
 * pay for its routing. No body parser: the gateway reads bodies itself, after admission.
 */
export function createApp({ providers, keys, origins, unsupportedFields, log }: AppOptions): App {
  const gateway = createGateway({
    providers,
    transport: createUndiciTransport(),
    keys: createMemoryKeys(keys),
    unsupportedFields,
    log,
    cors: origins.length === 0 ? undefined : { origins },
  })
  const app = express()
  app.disable('x-powered-by')
  app.get('/', (_request, response) => {
    response.json(ABOUT)
  })
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  const handle = createNodeHandler(gateway)
  // Last, and for every other path: whatever it does not serve, the gateway refuses in a protocol's own words.
  app.use(handle)
  const listener: RequestListener = (request, response) => {
    if (isCall(request.url)) handle(request, response)
    else app(request, response)
  }
  return { listener, gateway }
}

function isCall(url: string | undefined): boolean {
  return protocols.some(({ http }) => url?.startsWith(`${http.base}/`) === true)
}

const ABOUT = {
  name: 'dragoman',
  about: 'An LLM gateway: any of these protocols in, any of its models out.',
  protocols: protocols.map(({ name, http }) => ({ name, base: http.base })),
}
