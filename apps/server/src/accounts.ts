import { createAccounts, createFailureNotes, type Store } from '@dragoman/accounts'
import type { Environment } from '@dragoman/core/provider'
import type { Keys, Stage } from '@dragoman/gateway'
import { isOutside, readAccountSettings, trustedProxies } from './account-settings.ts'
import { createAccountListeners, type AccountListeners } from './account-listeners.ts'
import { createAddressOf, type AddressOf } from './client-address.ts'
import type { Config } from './config/schema.ts'
import { makeFirstAdmin, type FirstAdmin } from './first-admin.ts'
import type { ServerKeys } from './keys.ts'
import type { ServerLog } from './log.ts'
import { closeEarlierRefusals, createRefusedMemory } from './refused-calls.ts'
import { openServerStore } from './server-store.ts'
import { StartError } from './settings.ts'

/** Keys, limits, budgets and usage of this server. A new configuration keeps them. */
export interface ServerAccounts extends AccountListeners {
  /** All keys: those of the configuration and those of the store. */
  readonly keys: Keys
  readonly stages: readonly Stage[]
  readonly addressOf: AddressOf
  /** Calls are refused, because the store has failed. */
  readonly isRefusing: boolean
  /** Set at the first start. */
  readonly firstAdmin: FirstAdmin | undefined
  /** Accepts the keys of a new configuration instead of those before, with their limits and budgets. */
  use(keys: ServerKeys): void
  /** Commits what is settled and closes the store. */
  close(): Promise<void>
}

export interface AccountsSetup {
  readonly environment: Environment
  readonly config: Config
  readonly dataFolder: string
  /** The configuration file, if there is one. */
  readonly file: string | undefined
  readonly log: Pick<ServerLog, 'note'>
}

const DAY_MS = 86_400_000
export async function createServerAccounts({
  environment,
  config,
  dataFolder,
  file,
  log,
}: AccountsSetup): Promise<ServerAccounts> {
  const settings = readAccountSettings(environment, config, dataFolder)
  const addressOf = createAddressOf(trustedProxies(environment, config))
  const { store, isOpen } = await openServerStore({
    settings,
    config,
    environment,
    file,
    log,
    onOpened: (opened) => void greetLate(opened, dataFolder, log),
  })
  let own: ServerKeys = { keys: { find: () => undefined }, configured: new Map() }
  const onFailed = createFailureNotes(store, (text, thrown) =>
    log.note('error', `${text}: ${thrown instanceof Error ? thrown.message : String(thrown)}`),
  )
  const { records, hours, audit } = settings.keepMs
  const accounts = createAccounts({
    store,
    keys: { find: (secret, address) => own.keys.find(secret, address) },
    configured: (id) => own.configured.get(id),
    schedule: setImmediate,
    onLoss: settings.onLoss,
    // With a file on this machine, it is always known whether a write has failed: no answer is lost.
    refused: isOutside(settings) ? createRefusedMemory(dataFolder) : undefined,
    retention: { records: records / DAY_MS, hours: hours / DAY_MS, audit: audit / DAY_MS },
    onFailed,
    onRestored: () => log.note('info', `the store of keys and usage (${store.title}) works again`),
  })
  const { keys, stages } = accounts
  if (isOpen()) await closeEarlier(store, dataFolder, log)
  return {
    keys,
    stages,
    ...createAccountListeners({ store, keys, onError: onFailed }, addressOf),
    addressOf,
    get isRefusing() {
      return accounts.isRefusing || (settings.onLoss === 'refuse' && !isOpen())
    },
    firstAdmin: isOpen() ? await firstAdminOf(store, dataFolder, log) : undefined,
    use(given) {
      const ids = [...own.configured.keys(), ...given.configured.keys()]
      own = given
      accounts.release(ids)
    },
    async close() {
      await accounts.close().catch(onFailed)
      await store.close()
    },
  }
}

/** The database can be reached now. The greeting is over, so the first admin key of an empty database is written to its file. */
async function greetLate(store: Store, folder: string, log: AccountsSetup['log']): Promise<void> {
  log.note('info', `the store of keys and usage (${store.title}) is open`)
  await closeEarlier(store, folder, log)
  try {
    const made = await makeFirstAdmin(store, folder, false)
    if (made !== undefined && 'file' in made) log.note('info', `the first admin key is in ${made.file}`)
  } catch (error) {
    log.note('warn', error instanceof Error ? error.message : String(error))
  }
}

/** If the database is lost again meanwhile, the next start closes them. */
async function closeEarlier(store: Store, folder: string, log: AccountsSetup['log']): Promise<void> {
  try {
    const count = await closeEarlierRefusals(store, folder)
    if (count > 0) log.note('info', `${count} calls that were refused before the last end are closed without a charge`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.note('warn', `calls that were refused before the last end are not closed yet: ${reason}`)
  }
}

/** Without a folder to write to there is no admin key. Keys of the configuration can be admins too. */
async function firstAdminOf(store: Store, folder: string, log: AccountsSetup['log']): Promise<FirstAdmin | undefined> {
  try {
    return await makeFirstAdmin(store, folder, process.stdout.isTTY)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    log.note('warn', error.message)
    return undefined
  }
}
