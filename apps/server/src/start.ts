import { createServer } from 'node:http'
import { createApp } from './app.ts'
import { hello } from './hello.ts'
import { loadKeys } from './keys.ts'
import { listen } from './listen.ts'
import { createLog } from './log.ts'
import { enabledProviders } from './providers.ts'
import { readSettings, StartError } from './settings.ts'
import { shutDownOnSignals } from './shutdown.ts'

/** Starts the server, or says what keeps it from starting. */
export async function start(): Promise<void> {
  try {
    await serve()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`dragoman: ${error.message}\n`)
    process.exitCode = 1
  }
}

async function serve(): Promise<void> {
  const settings = readSettings(process.env)
  const { entries, local } = loadKeys(settings)
  const log = createLog(settings.logLevel)
  const { origins, unsupportedFields } = settings
  const providers = enabledProviders(process.env)
  const app = createApp({ providers, keys: entries, origins, unsupportedFields, log })
  const server = createServer(app.listener)
  const exit = (code: number) => (): void => {
    log.flush()
    process.exit(code)
  }
  shutDownOnSignals({ server, gateway: app.gateway, graceMs: settings.graceMs, onClosed: exit(0), onForced: exit(130) })
  const url = await listen(server, settings)
  process.stdout.write(hello({ url, localKey: local }))
}
