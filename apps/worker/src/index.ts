import { listOf, type Environment as Variables } from '@dragoman/core'
import { createFetchHandler, createFetchTransport, createGateway, createMemoryKeys } from '@dragoman/gateway'
import { createLog } from './log.ts'
import { enabledProviders } from './providers.ts'

/** Bindings; the providers have theirs, as in the environment of the server. */
export interface Environment extends Variables {
  /** Keys that callers may use. Without any, nobody is admitted. */
  readonly DRAGOMAN_KEYS?: string
  /** Browser origins that may call, or `*`. */
  readonly DRAGOMAN_CORS?: string
  /** Request fields that the specification does not accept: `accept`, or `refuse` for a 400. */
  readonly DRAGOMAN_UNSUPPORTED_FIELDS?: string
  /** How relayed streams pass: `exact`, or `untouched` for the least CPU time. */
  readonly DRAGOMAN_RELAYED_STREAMS?: string
}

type Handler = (request: Request) => Promise<Response>

/** One gateway per set of bindings; an isolate may not compute anything before its first request. */
const handlers = new WeakMap<Environment, Handler>()

export default {
  fetch(request: Request, environment: Environment): Promise<Response> {
    const handler = handlers.get(environment) ?? createHandler(environment)
    handlers.set(environment, handler)
    return handler(request)
  },
}

function createHandler(environment: Environment): Handler {
  const keys = listOf(environment.DRAGOMAN_KEYS).map((secret, index) => ({ id: `key-${index + 1}`, secret }))
  const origins = listOf(environment.DRAGOMAN_CORS)
  const gateway = createGateway({
    providers: enabledProviders(environment),
    transport: createFetchTransport(),
    keys: createMemoryKeys(keys),
    log: createLog(),
    unsupportedFields: environment.DRAGOMAN_UNSUPPORTED_FIELDS === 'refuse' ? 'refuse' : 'accept',
    unsupportedFieldsAt: 'the binding DRAGOMAN_UNSUPPORTED_FIELDS',
    relayedStreams: environment.DRAGOMAN_RELAYED_STREAMS === 'untouched' ? 'untouched' : 'exact',
    cors: origins.length === 0 ? undefined : { origins: origins.includes('*') ? '*' : origins },
  })
  return createFetchHandler(gateway)
}
