import { listOf, type Environment as Variables } from '@dragoman/core/provider'
import {
  createFetchDownloads,
  createFetchHandler,
  createFetchTransport,
  createGateway,
  createMemoryKeys,
  type KeyEntry,
} from '@dragoman/gateway'
import { guardKeys } from '@dragoman/accounts'
import { AccountsObject, type ObjectNamespace } from '@dragoman/store-cloudflare'
import { createAccountsOf, type AccountVariables } from './accounts.ts'
import { complain, createLog, onWatcherError } from './log.ts'
import { enabledProviders } from './providers.ts'
import { routeOf, type RouteName } from './worker-routes.ts'

/** The platform finds the classes of objects in the entry of the worker. */
export { AccountsObject }

/** Variables and secrets. Providers have the same ones as on the server. */
export interface Environment extends Variables, AccountVariables {
  /** The keys of callers. Without keys, every call is refused. */
  readonly DRAGOMAN_KEYS?: string
  /** Seals the names of operations, at least 32 characters each: the first one seals, all of them open. Without it, videos are refused. */
  readonly DRAGOMAN_SEALING_KEYS?: string
  /** The address of the gateway for its callers, for URLs in answers; by default the one that the caller has used. */
  readonly DRAGOMAN_PUBLIC_URL?: string
  /** Allowed browser origins, or `*`. */
  readonly DRAGOMAN_CORS?: string
  /** Request fields that the specification does not accept: `accept`, or `refuse` for a 400. */
  readonly DRAGOMAN_UNSUPPORTED_FIELDS?: string
  /** Whether model lists need a key: `public` or `private`. */
  readonly DRAGOMAN_MODEL_LISTS?: string
  /** How relayed streams are forwarded: `exact`, or `untouched` for the least CPU time. */
  readonly DRAGOMAN_RELAYED_STREAMS?: string
  /** Whether media by URL is downloaded for upstreams that take bytes only: `on` or `off`. */
  readonly DRAGOMAN_DOWNLOADS?: string
  /** Whether there are simulated models: `on` or `off`. */
  readonly DRAGOMAN_SIM?: string
  /** Whether items of answers are remembered, for requests that name them: `on` or `off`. */
  readonly DRAGOMAN_ITEM_MEMORY?: string
}

type Handler = (request: Request, address?: string) => Promise<Response>

/** One gateway per set of bindings, created at the first request, because an isolate may not compute anything before it. */
const handlers = new WeakMap<Environment, Handler>()

export default {
  fetch(request: Request, environment: Environment): Promise<Response> {
    const handler = handlers.get(environment) ?? createHandler(environment)
    handlers.set(environment, handler)
    return handler(request)
  },
}

/** Bindings that are not text. */
interface Bindings {
  /** Keys, limits, budgets and usage. Without it, there are the keys of callers only. */
  readonly ACCOUNTS?: ObjectNamespace
}

function createHandler(environment: Environment): Handler {
  const entries = keyEntries(environment)
  const origins = listOf(environment.DRAGOMAN_CORS)
  const sealingKeys = listOf(environment.DRAGOMAN_SEALING_KEYS)
  const { ACCOUNTS } = environment as Bindings // the platform has both in one object
  const accounts = ACCOUNTS && createAccountsOf(ACCOUNTS, environment, entries)
  const gateway = createGateway({
    providers: enabledProviders(environment),
    transport: createFetchTransport(),
    keys: accounts?.keys ?? guardKeys(createMemoryKeys(entries)),
    stages: accounts?.stages,
    log: createLog(),
    onWatcherError,
    unsupportedFields: environment.DRAGOMAN_UNSUPPORTED_FIELDS === 'refuse' ? 'refuse' : 'accept',
    modelLists: environment.DRAGOMAN_MODEL_LISTS === 'private' ? 'private' : 'public',
    unsupportedFieldsAt: 'the binding DRAGOMAN_UNSUPPORTED_FIELDS',
    relayedStreams: environment.DRAGOMAN_RELAYED_STREAMS === 'untouched' ? 'untouched' : 'exact',
    downloads: environment.DRAGOMAN_DOWNLOADS === 'off' ? undefined : createFetchDownloads(),
    itemMemory: environment.DRAGOMAN_ITEM_MEMORY === 'off' ? 'off' : undefined,
    // Too short a key must not break calls that need none.
    sealingKeys: sealingKeys.every(({ length }) => length >= 32) ? sealingKeys : [],
    sealingAt: 'the secret DRAGOMAN_SEALING_KEYS, at least 32 characters',
    publicUrl: environment.DRAGOMAN_PUBLIC_URL || undefined,
    cors: origins.length === 0 ? undefined : { origins: origins.includes('*') ? '*' : origins },
  })
  const calls = createFetchHandler(gateway, { addressOf })
  // Without accounts, the gateway answers that there is no such path.
  const { admin = calls, generation = calls } = accounts ?? {}
  const handlerOf: { readonly [Name in RouteName]: Handler } = { admin, generation, calls }
  return (request) => handlerOf[routeOf(new URL(request.url).pathname)](request, addressOf(request))
}

/** Shorter ones could be guessed. */
const SHORTEST_KEY = 16

/** The keys of callers. Too short a key must not break those of others. */
function keyEntries({ DRAGOMAN_KEYS }: Environment): readonly KeyEntry[] {
  return listOf(DRAGOMAN_KEYS).flatMap((secret, index) => {
    const id = `key-${index + 1}`
    if (secret.length >= SHORTEST_KEY) return [{ id, secret }]
    complain(`${id} of DRAGOMAN_KEYS is not accepted: it needs at least ${SHORTEST_KEY} characters`)
    return []
  })
}

/** Cloudflare sets this header itself: callers cannot. */
function addressOf(request: Request): string | undefined {
  return request.headers.get('cf-connecting-ip') ?? undefined
}
