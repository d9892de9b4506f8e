import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Store } from '@dragoman/accounts'
import type { AccountSettings } from './account-settings.ts'
import { StartError } from './settings.ts'

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
        const { openPostgresStore } = await import('@dragoman/store-postgres')
        return await openPostgresStore({ connection: postgres ?? '', schema, redis })
      }
      case 'memory': {
        const { createMemoryStore } = await import('@dragoman/accounts')
        return createMemoryStore()
      }
      default:
        return store satisfies never
    }
  } catch (error) {
    throw new StartError(`The store (${store}) could not be opened: ${reasonOf(error)}`)
  }
}

/** Errors of a driver can contain the URL with its password. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : 'unknown'
  return text.replaceAll(/\b[a-z]+:\/\/\S+/gi, '<URL>')
}
