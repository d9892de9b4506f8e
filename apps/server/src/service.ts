import type { RequestListener } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Environment } from '@dragoman/core/provider'
import { createItemMemory, createRouteMemory, type Gateway } from '@dragoman/gateway'
import { createThreadOffload } from '@dragoman/gateway-node'
import { createServerAccounts, type ServerAccounts } from './accounts.ts'
import { findConfig } from './config/find.ts'
import type { ReadConfig } from './config/read.ts'
import type { ServerLog } from './log.ts'
import type { ObservedLog } from './observers.ts'
import { findOllama } from './ollama.ts'
import type { Found } from './providers.ts'
import { readSettings, StartError, type ServerSettings } from './settings.ts'
import { createSetup, type Setup } from './setup.ts'

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
   * Reads the configuration again, or uses the given text of its file. Running responses finish with the configuration that they began
   * with. A configuration with a mistake changes nothing, and neither does one that may be truncated.
   */
  reload(text?: string): Promise<void>
  /** Looks for Ollama and adds its models. */
  look(): Promise<void>
}

/** Longer than any response may take. */
const UNTIL_DONE_MS = 2 ** 31 - 1

/** Starts with the current configuration, or throws its mistakes. */
export async function createService({ environment, folder, createLog }: ServiceOptions): Promise<Service> {
  let file = findConfig(environment, folder)
  let running = await read(file, environment)
  const { config, text } = running
  const settings = readSettings(environment, config)
  const log = await createLog(settings)
  const offload = createThreadOffload({ from: settings.inlineBytes })
  const accounts = await createServerAccounts({ environment, config, dataFolder: settings.dataFolder, log })
  const stages = [...log.stages, ...accounts.stages]
  const fixed = { environment, log, offload, stages, accounts, ...createMemories(settings) }
  let setup = await createSetup({ ...fixed, file, config })
  accounts.use(setup.keys)
  const leaving = new Set<Setup>()
  let found: Found | undefined
  // Changes are applied one after the other.
  let turn: Promise<void> = Promise.resolve()
  let closing = false
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    turn = turn.then(() => (closing ? undefined : change())).catch((error: unknown) => logRefusal(log, error))
    return turn
  }
  const swap = (next: Setup): void => {
    const old = setup
    setup = next
    accounts.use(next.keys)
    leaving.add(old)
    void old.gateway.close(UNTIL_DONE_MS).then(async () => {
      leaving.delete(old)
      await old.transport.close()
    })
  }
  const reload = async (given?: string): Promise<void> => {
    const named = findConfig(environment, folder)
    if (named === undefined && file !== undefined) throw new StartError(`${file} is gone`)
    const taken = await readAgain(named, environment, running, given)
    const next = await createSetup({ ...fixed, file: named, config: taken.config, found })
    file = named
    running = taken
    for (const line of fixedChanges(setup.settings, next.settings)) log.note('warn', line)
    log.setLevel(next.settings.logLevel)
    swap(next)
    log.note('info', `configuration read${file === undefined ? '' : ` from ${file}`}`)
  }
  const look = async (): Promise<void> => {
    const asked = setup
    const { ollama: baseURL } = asked
    if (baseURL === undefined) return
    const now = await lookAt(baseURL, asked, log)
    await inTurn(async () => {
      // A concurrent change of the configuration looks for Ollama too.
      if (setup !== asked || isDeepStrictEqual(now, found)) return
      found = now
      swap(await createSetup({ ...fixed, file, config: setup.config, found }))
      log.note('info', `found ${now?.models.length ?? 0} models of Ollama at ${new URL(baseURL).origin}`)
    })
  }
  const close = async (graceMs: number): Promise<void> => {
    closing = true
    await turn
    await Promise.all([setup, ...leaving].map((each) => each.gateway.close(graceMs)))
    await offload.close()
    await accounts.close()
  }
  return {
    gateway: frontOf(() => setup.gateway, close),
    handle: (request, response) => setup.handle(request, response),
    get setup() {
      return setup
    },
    get isClosing() {
      return closing
    },
    get file() {
      return file
    },
    text,
    log,
    accounts,
    reload: (given) => inTurn(() => reload(given)),
    look,
  }
}

/** The gateway for the listener, which stays while configurations come and go. */
function frontOf(current: () => Gateway, close: Gateway['close']): Gateway {
  return {
    open: (head, reply) => current().open(head, reply),
    refuse: (head, reply, why) => current().refuse(head, reply, why),
    breakers: () => current().breakers(),
    close,
  }
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

/** The modules that read and check files are loaded only if there is a file. */
async function read(file: string | undefined, environment: Environment): Promise<ReadConfig> {
  if (file === undefined) return { config: {}, text: '' }
  const { readConfig } = await import('./config/read.ts')
  return readConfig(file, environment)
}

/** The configuration that replaces the running one. */
async function readAgain(
  file: string | undefined,
  environment: Environment,
  running: ReadConfig,
  text: string | undefined,
): Promise<ReadConfig> {
  if (file === undefined) return running
  const [{ readConfig }, { checkReplacement }] = await Promise.all([
    import('./config/read.ts'),
    import('./config/replacement.ts'),
  ])
  const next = await readConfig(file, environment, text)
  checkReplacement(file, running, next)
  return next
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
