import { dirname } from 'node:path'
import { guardServer } from '@dragoman/gateway-node'
import { createApp } from './app.ts'
import { findConfig } from './config/find.ts'
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
  // Before anybody is told that it runs: a SIGHUP that nobody listens to would end it.
  reloadOnChanges(service)
  process.stdout.write(hello({ url, file: service.file, localKey, keysFrom, providers }))
  await service.look()
}

/** On a change of the file, also of one that is made later, and on SIGHUP where it is not the closing of a terminal. */
function reloadOnChanges(service: Service): void {
  const { file, text, log } = service
  const reload = (now?: string): void => void service.reload(now).then(() => service.look())
  if (!isInTerminal()) process.on('SIGHUP', () => reload())
  const folder = file === undefined ? process.cwd() : dirname(file)
  const onFail = (): void => log.say('warn', `${file ?? folder} cannot be watched: send SIGHUP after a change`)
  const find = (): string | undefined => findConfig(process.env, process.cwd())
  try {
    watchFile({ folder, find, text, onChange: reload, onFail })
  } catch {
    onFail()
  }
}
