import { listOf, type Environment } from '@dragoman/core/provider'
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
import { COMPATIBLE } from '@dragoman/provider-openai-compatible/environment'
import { createAccountsOf } from './accounts.ts'
import { createWorkerCatalogue } from './catalogue.ts'
import { complain, createLog, onWatcherError } from './log.ts'
import { enabledProviders, knownProviders } from './providers.ts'
import { readSettings } from './settings.ts'
import { routeOf, type RouteName } from './worker-routes.ts'

/** The platform finds the classes of objects in the entry of the worker. */
export { AccountsObject }

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
  const mistakes: string[] = []
  const settings = readSettings(environment, mistakes)
  const providers = enabledProviders(environment, settings.sim, mistakes)
  if (mistakes.length > 0) return refuseAll(mistakes)
  const { keys, origins, sealingKeys, publicUrl, unsupportedFields, modelLists, relayedStreams } = settings
  const entries = keyEntries(keys)
  const { ACCOUNTS } = environment as Bindings // the platform has both in one object
  const accounts = ACCOUNTS && createAccountsOf(ACCOUNTS, settings, entries)
  const callers = accounts?.keys ?? guardKeys(createMemoryKeys(entries))
  const serve = (served: typeof providers): Handler =>
    createFetchHandler(
      createGateway({
        providers: served,
        transport: createFetchTransport(),
        keys: callers,
        stages: accounts?.stages,
        log: createLog(),
        onWatcherError,
        unsupportedFields,
        modelLists,
        unsupportedFieldsAt: 'the binding DRAGOMAN_UNSUPPORTED_FIELDS',
        relayedStreams,
        downloads: settings.downloads === 'off' ? undefined : createFetchDownloads(),
        itemMemory: settings.itemMemory === 'off' ? 'off' : undefined,
        sealingKeys,
        sealingAt: 'the secret DRAGOMAN_SEALING_KEYS, at least 32 characters',
        publicUrl,
        cors: origins.length === 0 ? undefined : { origins: origins.includes('*') ? '*' : origins },
      }),
      { addressOf },
    )
  let served = serve(providers)
  const calls: Handler = (request) => served(request)
  // Without accounts, the gateway answers that there is no such path.
  const { admin = calls, generation = calls } = accounts ?? {}
  const handlerOf: { readonly [Name in RouteName]: Handler } = { admin, generation, calls }
  const answer: Handler = (request) => handlerOf[routeOf(new URL(request.url).pathname)](request, addressOf(request))
  const { catalogueUrl: url, catalogueKeys } = settings
  if (url === undefined) return answer
  const refresh = createWorkerCatalogue({
    url,
    keys: catalogueKeys,
    providers: [...knownProviders, ...listOf(environment[COMPATIBLE])],
    apply(catalogues) {
      const wrong: string[] = []
      const next = enabledProviders(environment, settings.sim, wrong, catalogues)
      if (wrong.length > 0) throw new Error(wrong.join('; '))
      served = serve(next)
    },
  })
  return async (request) => {
    await refresh()
    return answer(request)
  }
}

/** Shorter ones could be guessed. */
const SHORTEST_KEY = 16

/** The keys of callers. Too short a key must not break those of others. */
function keyEntries(keys: readonly string[]): readonly KeyEntry[] {
  return keys.flatMap((secret, index) => {
    const id = `key-${index + 1}`
    if (secret.length >= SHORTEST_KEY) return [{ id, secret }]
    complain(`${id} of DRAGOMAN_KEYS is not accepted: it needs at least ${SHORTEST_KEY} characters`)
    return []
  })
}

/**
 * Answers every call with the mistakes. A wrong setting that is read as its default could open what its operator wants closed. The log has
 * the mistakes once.
 */
function refuseAll(mistakes: readonly string[]): Handler {
  for (const mistake of mistakes) complain(mistake)
  const sentences = mistakes.map((mistake) => (mistake.endsWith('?') ? mistake : `${mistake}.`))
  const outOfService = `The worker is not configured correctly: ${sentences.join(' ')}`
  return createFetchHandler(createGateway({ providers: [], transport: createFetchTransport(), outOfService }))
}

/** Cloudflare sets this header itself: callers cannot. */
function addressOf(request: Request): string | undefined {
  return request.headers.get('cf-connecting-ip') ?? undefined
}
