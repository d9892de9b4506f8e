import type { RequestListener } from 'node:http'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DragomanError } from '@dragoman/core'
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
import {
  createDownloads,
  createNodeHandler,
  createUndiciTransport,
  readProxies,
  type UndiciTransport,
} from '@dragoman/gateway-node'
import type { ServerAccounts } from './accounts.ts'
import { checkAliases } from './aliases.ts'
import { UNSUPPORTED_FIELDS_AT } from './config/choices.ts'
import { ConfigError, type Mistake } from './config/mistakes.ts'
import type { Config } from './config/schema.ts'
import { loadKeys, type ServerKeys } from './keys.ts'
import { ollamaBase } from './ollama.ts'
import { buildProviders, type Found } from './providers.ts'
import { routingOf } from './routing.ts'
import { loadSealing } from './sealing.ts'
import { readSettings, StartError, type ServerSettings } from './settings.ts'

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
  /** The configuration file, if there is one, and its content. */
  readonly file: string | undefined
  readonly config: Config
  /** The Ollama that was found. */
  readonly found?: Found | undefined
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

/** Creates a gateway from the environment and the configuration file. Throws all mistakes at once. */
export async function createSetup(options: SetupOptions): Promise<Setup> {
  const { environment, file, config, found, log, offload, stages, memory, itemMemory, accounts } = options
  const mistakes: Mistake[] = []
  const settings = readSettings(environment, config)
  const { ollama: entry } = config.providers ?? {}
  const off = entry === false || (typeof entry === 'object' && entry.enabled === false)
  const ollama = off ? undefined : ollamaBase(environment, typeof entry === 'object' ? entry.baseURL : undefined)
  const providers = await buildProviders(
    {
      environment,
      config,
      found: found !== undefined && found.baseURL === ollama ? { ollama: found } : {},
      inlineBytes: settings.inlineBytes,
      folder: file === undefined ? process.cwd() : dirname(file),
    },
    mistakes,
  )
  const authorities = readAuthorities(config, file, mistakes)
  const aliases = checkAliases(config, providers, ollama !== undefined, mistakes)
  const downloads = downloadsOf(settings, authorities, mistakes)
  if (mistakes.length > 0) throw new ConfigError(file ?? '', mistakes)
  const keys = loadKeys(environment, config, settings.dataFolder)
  const sealing = loadSealing(environment, config, settings.dataFolder)
  const { origins, unsupportedFields, modelLists, limits, deadlines, keepAliveMs, bodyMs } = settings
  const transport = createUndiciTransport({ proxies: proxiesOf(environment), authorities })
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

function readAuthorities({ outbound }: Config, file: string | undefined, mistakes: Mistake[]): readonly string[] {
  return (outbound?.authorities ?? []).flatMap((name, index) => {
    const path = ['outbound', 'authorities', index]
    try {
      const text = readFileSync(resolve(dirname(file ?? ''), name), 'utf8')
      if (text.includes('-----BEGIN CERTIFICATE-----')) return [text]
      mistakes.push({ path, reason: 'names a file without a certificate in PEM' })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      mistakes.push({ path, reason: `names a file that cannot be read: ${code}` })
    }
    return []
  })
}

function downloadsOf({ downloads, limits }: ServerSettings, authorities: readonly string[], mistakes: Mistake[]) {
  if (downloads === undefined) return undefined
  try {
    return createDownloads({ ...downloads, results: limits.answer, authorities })
  } catch (error) {
    if (!DragomanError.isInstance(error)) throw error
    mistakes.push({ path: ['downloads', 'allow'], reason: `has a mistake: ${error.message.replace(/\.$/, '')}` })
    return undefined
  }
}

function proxiesOf(environment: Environment) {
  try {
    return readProxies(environment)
  } catch (error) {
    if (DragomanError.isInstance(error)) throw new StartError(error.message)
    throw error
  }
}
