import type { RequestListener } from 'node:http'
import type { Environment, Provider } from '@dragoman/core/provider'
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type Log,
  type Offload,
  type RouteMemory,
  type Stage,
} from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport, type UndiciTransport } from '@dragoman/gateway-node'
import type { ServerAccounts } from './accounts.ts'
import { PRICES_AT, UNSUPPORTED_FIELDS_AT } from './config/choices.ts'
import type { Config } from './config/schema.ts'
import { loadKeys, type ServerKeys } from './keys.ts'
import type { Plan } from './plan-setup.ts'
import { routingOf } from './routing.ts'
import { loadSealing } from './sealing.ts'
import type { ServerSettings } from './settings.ts'

/** Everything that depends on the configuration. A new configuration creates a new setup. */
export interface Setup {
  readonly config: Config
  readonly settings: ServerSettings
  readonly providers: readonly Provider[]
  readonly localKey: string | undefined
  /** The keys of this configuration. */
  readonly keys: ServerKeys
  readonly gateway: Gateway
  readonly handle: RequestListener
  readonly transport: UndiciTransport
  /** The address of a possible Ollama; undefined if the search is disabled. */
  readonly ollama: string | undefined
}

export interface SetupOptions {
  readonly environment: Environment
  readonly config: Config
  readonly plan: Plan
  readonly log: Log & Pick<GatewayOptions, 'onWatcherError'>
  /** Processes large bodies in other threads. */
  readonly offload?: Offload | undefined
  readonly stages?: readonly Stage[] | undefined
  /** What is known about routes, which a new configuration keeps. */
  readonly memory?: RouteMemory | undefined
  /** Keys, limits, budgets and usage, which a new configuration keeps. */
  readonly accounts: Pick<ServerAccounts, 'keys' | 'addressOf'>
  /** The items of answers, which a new configuration keeps. */
  readonly itemMemory?: GatewayOptions['itemMemory']
}

/** Creates a gateway as it is planned. */
export function createSetup(options: SetupOptions): Setup {
  const { environment, config, plan, log, offload, stages, memory, itemMemory, accounts } = options
  const { settings, providers, aliases, authorities, downloads, proxies, ollama } = plan
  const keys = loadKeys(environment, config, settings.dataFolder)
  const sealing = loadSealing(environment, config, settings.dataFolder)
  const { origins, unsupportedFields, modelLists, limits, deadlines, keepAliveMs, usageMs, bodyMs } = settings
  const transport = createUndiciTransport({ proxies, authorities })
  const gateway = createGateway({
    providers,
    transport,
    keys: accounts.keys,
    aliases,
    unsupportedFields,
    modelLists,
    unsupportedFieldsAt: UNSUPPORTED_FIELDS_AT,
    limits,
    deadlines,
    keepAliveMs,
    usageMs,
    pricesAt: PRICES_AT,
    log,
    onWatcherError: log.onWatcherError,
    offload,
    downloads,
    stages,
    ...routingOf(config),
    memory,
    itemMemory,
    cors: origins.length === 0 ? undefined : { origins },
    ...sealing,
    publicUrl: settings.publicUrl,
  })
  const handle = createNodeHandler(gateway, { bodyMs, addressOf: accounts.addressOf })
  return { config, settings, providers, localKey: keys.local, keys, gateway, handle, transport, ollama }
}
