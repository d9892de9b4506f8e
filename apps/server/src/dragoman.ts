import type { Store } from '@dragoman/accounts'
import { readAccountSettings } from './account-settings.ts'
import { runCommand } from './commands/run-command.ts'
import { findConfig } from './config/find.ts'
import { openStore } from './open-store.ts'
import { readSettings, StartError } from './settings.ts'

const environment = process.env
let opened: Store | undefined

/** The store of the configuration in this folder, as the server would open it. */
async function store(): Promise<Store> {
  if (opened !== undefined) return opened
  const file = findConfig(environment, process.cwd())
  const { config } =
    file === undefined ? { config: {} } : await (await import('./config/read.ts')).readConfig(file, environment)
  const { dataFolder } = readSettings(environment, config)
  opened = await openStore(readAccountSettings(environment, config, dataFolder), { file, environment })
  return opened
}

const context = {
  store,
  adminKey: environment['DRAGOMAN_ADMIN_KEY'],
  write: (text: string) => void process.stdout.write(text),
  now: () => Date.now(),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
}

try {
  process.exitCode = await runCommand(process.argv.slice(2), context, (text) => void process.stderr.write(text))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  for (const line of error.message.split('\n')) process.stderr.write(`dragoman: ${line}\n`)
  process.exitCode = 1
} finally {
  await opened?.close()
}
