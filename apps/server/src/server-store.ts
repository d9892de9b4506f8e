import { existsSync } from 'node:fs'
import { createMemoryStore, type Store } from '@dragoman/accounts'
import type { Environment } from '@dragoman/core/provider'
import type { AccountSettings } from './account-settings.ts'
import type { Config } from './config/schema.ts'
import type { ServerLog } from './log.ts'
import { openStore, StoreAwayError, storeTitle } from './open-store.ts'
import { StartError } from './settings.ts'
import { VARIABLES } from './variables.ts'
import { createWaitingStore } from './waiting-store.ts'

export interface ServerStore {
  readonly store: Store
  /** False while its database has not been reached since the start. */
  readonly isOpen: () => boolean
}

export interface ServerStoreOptions {
  readonly settings: AccountSettings
  readonly config: Config
  readonly environment: Environment
  /** The configuration file, if there is one. */
  readonly file: string | undefined
  readonly log: Pick<ServerLog, 'note'>
  /** The store is open, which it was not at the start. */
  readonly onOpened: (store: Store) => void
}

/**
 * Opens the store of the settings. A database that cannot be reached is waited for: an instance that starts meanwhile behaves like one that
 * is running. A server without a folder to write to still serves: then nothing is kept across restarts, and the log says so. With a
 * database that exists and cannot be used, because it is damaged or of a newer version, or because its password is wrong, the server does
 * not start: its keys would be refused, and budgets would begin anew.
 */
export async function openServerStore({
  settings,
  config: { accounts },
  environment,
  file,
  log,
  onOpened,
}: ServerStoreOptions): Promise<ServerStore> {
  const open = (): Promise<Store> => openStore(settings, { file, environment })
  try {
    return { store: await open(), isOpen: () => true }
  } catch (error) {
    if (error instanceof StoreAwayError) {
      log.note('error', `${error.message}. ${MEANWHILE_OF[settings.onLoss]}; it is tried again`)
      return createWaitingStore({
        title: storeTitle(settings),
        open,
        onOpened,
        onFailed: (thrown) => {
          // The database can be reached then, and the problem does not go away by itself.
          if (!(thrown instanceof StoreAwayError)) log.note('error', reasonOf(thrown))
        },
      })
    }
    const isChosen = accounts?.store !== undefined || accounts?.file !== undefined || settings.store !== 'sqlite'
    const isRequired = isChosen || environment[VARIABLES.store] || existsSync(settings.file)
    if (!(error instanceof StartError) || isRequired) throw error
    log.note('warn', `${error.message}. Keys and usage are in memory only, until the next start`)
    return { store: createMemoryStore(), isOpen: () => true }
  }
}

const MEANWHILE_OF: { readonly [Name in AccountSettings['onLoss']]: string } = {
  refuse: 'Calls are refused',
  serve: 'Calls with keys of the configuration are served without limits, and recorded later',
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
