import { dirname } from 'node:path'
import type { Gateway } from '@dragoman/gateway'
import { guardServer } from '@dragoman/gateway-node'
import { createApp } from './app.ts'
import { findConfig } from './config/find.ts'
import { hello } from './hello.ts'
import { listen } from './listen.ts'
import { createLog } from './log.ts'
import { observeLog } from './observers.ts'
import { ownSecretWarnings } from './own-secrets.ts'
import { createService, type Service } from './service.ts'
import { StartError } from './settings.ts'
import { isInTerminal, shutDownOnSignals, type Shutdown } from './shutdown.ts'
import { VARIABLES } from './variables.ts'
import { watchFile } from './watch.ts'

/**
 * How long an idle connection stays open: longer than load balancers and common clients keep theirs. Java SDKs fail if the server
 * closes a connection first.
 */
const IDLE_MS = 75_000

/** Starts the server, or prints why it cannot start. */
export async function start(): Promise<void> {
  try {
    await serve()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    for (const line of error.message.split('\n')) process.stderr.write(`dragoman: ${line}\n`)
    // The store may be open, which would keep the process alive.
    process.exit(1)
  }
}

async function serve(): Promise<void> {
  const environment = process.env
  // Observers are created before the gateway.
  const running: { gateway?: Gateway } = {}
  const service = await createService({
    environment,
    folder: process.cwd(),
    createLog: (settings) =>
      observeLog(createLog(settings.logLevel), {
        settings,
        environment,
        breakers: () => running.gateway?.breakers() ?? [],
      }),
  })
  running.gateway = service.gateway
  for (const line of ownSecretWarnings(environment, service.setup)) service.log.note('warn', line)
  const { settings, localKey, providers } = service.setup
  // Not imported, because an import of this module loads everything that it has getters for, such as a WebSocket client.
  const { createServer } = process.getBuiltinModule('node:http')
  const options = { maxHeaderSize: settings.headerBytes, keepAliveTimeout: IDLE_MS }
  const server = createServer(
    options,
    createApp({
      ...service.accounts,
      calls: service.handle,
      unready: () => unreadyOf(service, shutdown),
      isDraining: () => shutdown.isDraining,
    }),
  )
  server.maxConnections = settings.connections
  guardServer(server, service.gateway)
  const shutdown = shutDownOnSignals({
    server,
    service,
    onClosed: (ms) => void service.log.close(ms).then(() => process.exit(0)),
    onForced: () => void service.log.flush().then(() => process.exit(130)),
  })
  const url = await listen(server, settings)
  const keysFrom = (environment[VARIABLES.keys] ?? '') === '' ? 'file' : 'environment'
  // Before the greeting: without a listener, SIGHUP would end the process.
  reloadOnChanges(service)
  process.stdout.write(
    hello({ url, file: service.file, localKey, firstAdmin: service.accounts.firstAdmin, keysFrom, providers }),
  )
  await service.look()
}

/** The reason why calls should go elsewhere. */
function unreadyOf({ isClosing, accounts }: Service, shutdown: Shutdown): string | undefined {
  if (isClosing) return 'closing'
  if (shutdown.isDraining) return 'draining'
  return accounts.isRefusing ? 'store unavailable' : undefined
}

/** Reloads when the file changes or is created, and on SIGHUP, unless that means that the terminal was closed. */
function reloadOnChanges(service: Service): void {
  const { file, text, log } = service
  const reload = (now?: string): void => void service.reload(now).then(() => service.look())
  if (!isInTerminal()) process.on('SIGHUP', () => reload())
  const folder = file === undefined ? process.cwd() : dirname(file)
  const onFail = (): void => log.note('warn', `${file ?? folder} cannot be watched: send SIGHUP after a change`)
  const find = (): string | undefined => findConfig(process.env, process.cwd())
  try {
    watchFile({ folder, find, text, onChange: reload, onFail })
  } catch {
    onFail()
  }
}
