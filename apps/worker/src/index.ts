import { createFetchHandler, createFetchTransport, createGateway, createMemoryKeys } from '@dragoman/gateway'
import { createSim } from '@dragoman/provider-sim'
import { createLog } from './log.ts'

/** Bindings: comma-separated lists. */
export interface Environment {
  /** Keys that callers may use. Without any, nobody is admitted. */
  readonly DRAGOMAN_KEYS?: string
  /** Browser origins that may call, or `*`. */
  readonly DRAGOMAN_CORS?: string
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
    providers: [createSim()],
    transport: createFetchTransport(),
    keys: createMemoryKeys(keys),
    log: createLog(),
    cors: origins.length === 0 ? undefined : { origins: origins.includes('*') ? '*' : origins },
  })
  return createFetchHandler(gateway)
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
