import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Store } from '@dragoman/accounts'
import type { AccountSettings } from './account-settings.ts'
import { StartError } from './settings.ts'

/** The database of the store cannot be reached now. */
export class StoreAwayError extends StartError {}

/** Opens the store of the settings. Drivers are loaded only if they are used. */
export async function openStore({ store, file, postgres, redis, schema }: AccountSettings): Promise<Store> {
  try {
    switch (store) {
      case 'sqlite': {
        const { openSqliteStore } = await import('@dragoman/store-sqlite')
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        return openSqliteStore({ file })
      }
      case 'postgres': {
        const { isAway, openPostgresStore } = await import('@dragoman/store-postgres')
        return await openPostgresStore({ connection: postgres ?? '', schema, redis }).catch((error: unknown) => {
          throw isAway(error) ? new StoreAwayError(messageOf(store, error)) : error
        })
      }
      case 'memory': {
        const { createMemoryStore } = await import('@dragoman/accounts')
        return createMemoryStore()
      }
      default:
        return store satisfies never
    }
  } catch (error) {
    throw error instanceof StoreAwayError ? error : new StartError(messageOf(store, error))
  }
}

function messageOf(store: AccountSettings['store'], error: unknown): string {
  return `The store (${store}) could not be opened: ${reasonOf(error)}`
}

/** Errors of a driver can contain the URL with its password. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : 'unknown'
  return text.replaceAll(/\b[a-z]+:\/\/\S+/gi, '<URL>')
}
