import type { RequestListener } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Catalogue } from '@dragoman/core/catalogue'
import { listOf, type Environment } from '@dragoman/core/provider'
import { createItemMemory, createRouteMemory, type Gateway } from '@dragoman/gateway'
import { createThreadOffload } from '@dragoman/gateway-node'
import { COMPATIBLE } from '@dragoman/provider-openai-compatible/environment'
import { createServerAccounts, type ServerAccounts } from './accounts.ts'
import { createRefresher } from './catalogue/refresher.ts'
import { findConfig } from './config/find.ts'
import { readConfiguration, type Configuration } from './configuration.ts'
import { knownProviders } from './known-providers.ts'
import type { ServerLog } from './log.ts'
import type { ObservedLog } from './observers.ts'
import { findOllama } from './ollama.ts'
import type { Found } from './providers.ts'
import { StartError, type ServerSettings } from './settings.ts'
import { createRunningSetups } from './running-setups.ts'
import { createSetup, type Setup } from './setup.ts'
import { createTurns } from './turns.ts'

export interface ServiceOptions {
  readonly environment: Environment
  /** The folder of the configuration file. */
  readonly folder: string
  /** Created when the settings are known. */
  readonly createLog: (settings: ServerSettings) => Promise<ObservedLog>
}

/** The gateway with the current configuration. */
export interface Service {
  /** Passes every call to the current gateway, and closes all of them. */
  readonly gateway: Gateway
  readonly handle: RequestListener
  readonly setup: Setup
  /** Calls are refused, and the running ones finish. */
  readonly isClosing: boolean
  readonly accounts: Pick<ServerAccounts, 'admin' | 'generation' | 'firstAdmin' | 'isRefusing'>
  /** The configuration file, if one was read. */
  readonly file: string | undefined
  /** Its content at the start. */
  readonly text: string
  readonly log: ObservedLog
  /**
   * Reads the configuration again, or uses the given text of its file. Running calls finish with the configuration that they began with. A
   * configuration with a mistake changes nothing, and neither does one that may be truncated.
   */
  reload(text?: string): Promise<void>
  /** Looks for Ollama and adds its models. */
  look(): Promise<void>
}

/** Starts with the current configuration, or throws its mistakes. */
export async function createService({ environment, folder, createLog }: ServiceOptions): Promise<Service> {
  let running = await readFirst(environment, folder)
  const { config, file, text, plan } = running
  const log = await createLog(plan.settings)
  const offload = createThreadOffload({ from: plan.settings.inlineBytes })
  const accounts = await createServerAccounts({ environment, config, file, dataFolder: plan.settings.dataFolder, log })
  const stages = [...log.stages, ...accounts.stages]
  const fixed = { environment, log, offload, stages, accounts, ...createMemories(plan.settings) }
  const setups = createRunningSetups(createSetup({ ...fixed, config, plan }), ({ keys }) => accounts.use(keys))
  const turns = createTurns((error) => logRefusal(log, error))
  let found: Found | undefined
  const refresher = createRefresher({
    log,
    dataFolder: plan.settings.dataFolder,
    providers: () => nameable(environment, running),
    apply: (catalogue) => turns.attempt(() => applyCatalogue(catalogue)),
  })
  const readAgain = (catalogue: Catalogue | undefined): Promise<Configuration> =>
    readConfiguration({ environment, ...textOf(running), found, catalogue })
  const reload = async (given?: string): Promise<void> => {
    const named = findConfig(environment, folder)
    if (named === undefined && running.file !== undefined) throw new StartError(`${running.file} is gone`)
    const asked = { environment, file: named, text: given, found, catalogue: refresher.current, running }
    const taken = named === undefined ? running : await readConfiguration(asked)
    for (const line of taken.plan.unfit) log.note('error', `the catalogue is not used for a provider: ${line}`)
    const next = createSetup({ ...fixed, ...taken })
    running = taken
    for (const line of fixedChanges(setups.current.settings, next.settings)) log.note('warn', line)
    log.setLevel(next.settings.logLevel)
    setups.swap(next)
    log.note('info', `configuration read${named === undefined ? '' : ` from ${named}`}`)
    // The search for Ollama takes a turn of its own.
    void refresher.use(taken.plan.catalogue)
  }
  const applyCatalogue = async (catalogue: Catalogue | undefined): Promise<void> => {
    const taken = await readAgain(catalogue)
    if (taken.plan.unfit.length > 0) throw new StartError(taken.plan.unfit.join('\n'))
    running = taken
    setups.swap(createSetup({ ...fixed, ...taken }))
  }
  const look = async (): Promise<void> => {
    const { ollama: baseURL } = setups.current
    if (baseURL === undefined) return
    const now = await lookAt(baseURL, setups.current, log)
    await turns.take(async () => {
      // A configuration with another address looks for Ollama too.
      if (setups.current.ollama !== baseURL || isDeepStrictEqual(now, found)) return
      found = now
      running = await readAgain(refresher.current)
      setups.swap(createSetup({ ...fixed, ...running }))
      log.note('info', `found ${now?.models.length ?? 0} models of Ollama at ${new URL(baseURL).origin}`)
    })
  }
  const close = async (graceMs: number): Promise<number> => {
    refresher.close()
    await turns.end()
    const aborted = await setups.close(graceMs)
    await Promise.all([offload.close(), accounts.close()])
    return aborted
  }
  await refresher.use(plan.catalogue)
  return {
    gateway: { ...setups.gateway, close },
    handle: (request, response) => setups.current.handle(request, response),
    get setup() {
      return setups.current
    },
    get isClosing() {
      return turns.areOver
    },
    get file() {
      return running.file
    },
    text,
    log,
    accounts,
    reload: (given) => turns.take(() => reload(given)),
    look,
  }
}

/** The providers that a catalogue may name: known ones and those of the configuration. The simulator has no prices. */
function nameable(environment: Environment, { config }: Configuration): readonly string[] {
  return [...knownProviders, ...Object.keys(config.providers ?? {}), ...listOf(environment[COMPATIBLE])].filter(
    (name) => name !== 'sim',
  )
}

function textOf({ file, text }: Configuration): Pick<Configuration, 'file' | 'text'> {
  return { file, text }
}

/** What a new configuration keeps. */
function createMemories({ breaker, itemMemory }: ServerSettings) {
  return {
    memory: createRouteMemory({ breaker }),
    itemMemory: itemMemory === undefined ? ('off' as const) : createItemMemory(itemMemory),
  }
}

/** A change that is refused leaves everything as it is. */
function logRefusal(log: ServerLog, error: unknown): void {
  const lines = error instanceof StartError ? error.message.split('\n') : [`unexpected: ${String(error)}`]
  for (const line of [...lines, 'the configuration stays as it was']) log.note('error', line)
}

/** The models of an Ollama, if one answers. */
async function lookAt(baseURL: string, { transport, providers }: Setup, log: ServerLog): Promise<Found | undefined> {
  const known = providers.find(({ name }) => name === 'ollama')
  const models = await findOllama(transport, baseURL, known)
  if (models !== undefined) return { baseURL, models }
  if (known !== undefined) log.note('warn', `no Ollama answers at ${new URL(baseURL).origin}`)
  return undefined
}

/** The configuration of the start. A file that cannot be found does not hide mistakes in the environment. */
async function readFirst(environment: Environment, folder: string): Promise<Configuration> {
  let file: string | undefined
  try {
    file = findConfig(environment, folder)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const others = await readConfiguration({ environment, file: undefined, isStart: true }).then(
      () => '',
      (thrown: unknown) => (thrown instanceof StartError ? `\n${thrown.message}` : ''),
    )
    throw new StartError(error.message + others)
  }
  return readConfiguration({ environment, file, isStart: true })
}

/** Settings that a running server cannot change. */
function fixedChanges(before: ServerSettings, after: ServerSettings): readonly string[] {
  const isSame = (member: keyof typeof NAME_OF): boolean => isDeepStrictEqual(before[member], after[member])
  return Object.entries(NAME_OF)
    .filter(([member]) => !isSame(member as keyof typeof NAME_OF)) // its own keys
    .map(([, name]) => `${name} changes at the next start`)
}

const NAME_OF = {
  host: 'server.host',
  port: 'server.port',
  metrics: 'server.metrics',
  headerBytes: 'limits.headers',
  connections: 'limits.connections',
  inlineBytes: 'limits.inline',
  breaker: 'routing.breaker',
  itemMemory: 'itemMemory',
} as const
