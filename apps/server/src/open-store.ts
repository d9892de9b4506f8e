import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createMemoryStore, type Store } from '@dragoman/accounts'
import type { AccountSettings } from './account-settings.ts'
import type { StoreKind } from './config/choices.ts'
import { PackageError } from './package-module.ts'
import { StartError } from './settings.ts'
import { loadStorePackage, type PackageSource, type StoreOpener } from './store-package.ts'

/** The database of the store cannot be reached now. */
export class StoreAwayError extends StartError {}

/** What a package for stores exports. */
interface StoreModule<Options> {
  readonly openStore: (options: Options) => Store | Promise<Store>
  readonly isAway?: (error: unknown) => boolean
}

/** The packages with short names, and the options that they get. They are loaded only if they are used. */
const OPENER_OF: { readonly [Kind in StoreKind]: (settings: AccountSettings) => Promise<StoreOpener> } = {
  async sqlite({ file }) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return openerOf(await import('@dragoman/store-sqlite'), { file })
  },
  postgres: async ({ postgres = '', schema, redis }) =>
    openerOf(await import('@dragoman/store-postgres'), { connection: postgres, schema, redis }),
  memory: async () => openerOf({ openStore: createMemoryStore }, {}),
}

/** Opens the store of the settings. */
export async function openStore(settings: AccountSettings, source: PackageSource): Promise<Store> {
  const { store } = settings
  let opener: StoreOpener | undefined
  try {
    opener = await (typeof store === 'string' ? OPENER_OF[store](settings) : loadStorePackage(store, source))
    return await opener.open()
  } catch (error) {
    const message =
      error instanceof PackageError
        ? `accounts.store.package ${error.message}`
        : `The store (${storeTitle(settings)}) could not be opened: ${reasonOf(error)}`
    throw opener?.isAway(error) === true ? new StoreAwayError(message) : new StartError(message)
  }
}

/** A store as it is called in the configuration. */
export function storeTitle({ store }: AccountSettings): string {
  return typeof store === 'string' ? store : store.package
}

function openerOf<Options>(
  { openStore: open, isAway = () => false }: StoreModule<Options>,
  options: Options,
): StoreOpener {
  return { open: () => open(options), isAway }
}

/** Errors of a driver can contain the URL with its password. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : 'unknown'
  return text.replaceAll(/\b[a-z]+:\/\/\S+/gi, '<URL>')
}
