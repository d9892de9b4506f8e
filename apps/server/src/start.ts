import { guardServer } from '@dragoman/gateway-node'
import { createApp } from './app.ts'
import { hello } from './hello.ts'
import { listen } from './listen.ts'
import { createLog } from './log.ts'
import { createService, type Service } from './service.ts'
import { StartError } from './settings.ts'
import { isInTerminal, shutDownOnSignals } from './shutdown.ts'
import { watchFile } from './watch.ts'

/**
 * How long an unused connection stays open: longer than balancers and common clients keep theirs. Java's SDKs fail on one that is
 * closed under them.
 */
const IDLE_MS = 75_000

/** Starts the server, or says what keeps it from starting. */
export async function start(): Promise<void> {
  try {
    await serve()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    for (const line of error.message.split('\n')) process.stderr.write(`dragoman: ${line}\n`)
    process.exitCode = 1
  }
}

async function serve(): Promise<void> {
  const environment = process.env
  const service = await createService({
    environment,
    folder: process.cwd(),
    createLog: ({ logLevel }) => createLog(logLevel),
  })
  const { settings, localKey, providers } = service.setup
  // Not imported: an import of this module loads all that it has getters for, a WebSocket client among it.
  const { createServer } = process.getBuiltinModule('node:http')
  const options = { maxHeaderSize: settings.headerBytes, keepAliveTimeout: IDLE_MS }
  const server = createServer(options, createApp(service.handle))
  server.maxConnections = settings.connections
  guardServer(server, service.gateway)
  const exit = (code: number) => (): void => {
    void service.log.flush().then(() => process.exit(code))
  }
  shutDownOnSignals({ server, service, onClosed: exit(0), onForced: exit(130) })
  const url = await listen(server, settings)
  const keysFrom = (environment['DRAGOMAN_KEYS'] ?? '') === '' ? 'file' : 'environment'
  process.stdout.write(hello({ url, file: service.file, localKey, keysFrom, providers }))
  reloadOnChanges(service)
  await service.look()
}

/** On a change of the file that was read, and on SIGHUP where it is not the closing of a terminal. */
function reloadOnChanges(service: Service): void {
  const { file, text, log } = service
  const reload = (): void => void service.reload().then(() => service.look())
  if (!isInTerminal()) process.on('SIGHUP', reload)
  if (file === undefined) return
  const give = (): void => log.say('warn', `${file} cannot be watched: send SIGHUP after a change`)
  try {
    watchFile(file, text, reload, give)
  } catch {
    give()
  }
}
