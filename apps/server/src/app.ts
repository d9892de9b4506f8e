import { protocols } from '@dragoman/core'
import { createGateway, createMemoryKeys, type Gateway, type KeyEntry, type Log } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { createSim } from '@dragoman/provider-sim'
import express, { type Express } from 'express'
import type { UnsupportedFields } from './settings.ts'

export interface AppOptions {
  readonly keys: readonly KeyEntry[]
  readonly origins: readonly string[] | '*'
  readonly unsupportedFields: UnsupportedFields
  readonly log: Log
}

export interface App {
  readonly express: Express
  readonly gateway: Gateway
}

/** Composes the gateway and puts it behind Express. No body parser: the gateway reads bodies itself, after admission. */
export function createApp({ keys, origins, unsupportedFields, log }: AppOptions): App {
  const gateway = createGateway({
    providers: [createSim()],
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
  // Last, and for every other path: whatever it does not serve, the gateway refuses in a protocol's own words.
  app.use(createNodeHandler(gateway))
  return { express: app, gateway }
}

const ABOUT = {
  name: 'dragoman',
  about: 'An LLM gateway: any of these protocols in, any of its models out.',
  protocols: protocols.map(({ name, http }) => ({ name, base: http.base })),
}
