import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKeyManager, type KeySettings, type Store } from '@dragoman/accounts'
import { StartError } from './settings.ts'
import { VARIABLES } from './variables.ts'

/** How the operator gets the first admin key. */
export type FirstAdmin = { readonly secret: string } | { readonly file: string }

const ACTOR = { id: 'first start', address: '' }
const SETTINGS: KeySettings = {
  name: 'first admin',
  labels: {},
  // An operator who needs a key for both can make one with it.
  scopes: ['admin'],
  limits: {},
  budgets: {},
  disabled: false,
}

/**
 * The first admin key, which is made if the store has no keys. Its secret is shown on a terminal. Without one it is written to a file that
 * only its owner can read, because the output may go to a log. Throws a `StartError` if that file cannot be written.
 */
export async function makeFirstAdmin(
  store: Store,
  folder: string,
  isTerminal: boolean,
): Promise<FirstAdmin | undefined> {
  if ((await store.keysSince(0, 1)).length > 0) return undefined
  const manager = createKeyManager(store)
  if (isTerminal) {
    const made = await manager.createFirst(SETTINGS, ACTOR)
    return made === undefined ? undefined : { secret: made.secret }
  }
  const file = join(folder, 'admin-key')
  // The file is opened before the key is made: a key that cannot be written would be lost.
  const opened = openNew(folder, file)
  try {
    const made = await manager.createFirst(SETTINGS, ACTOR)
    if (made === undefined) rmSync(file)
    else writeFileSync(opened, `${made.secret}\n`)
    return made === undefined ? undefined : { file }
  } finally {
    closeSync(opened)
  }
}

/** The file may belong to an earlier store, whose key is not valid here. */
function openNew(folder: string, file: string): number {
  try {
    // With a database elsewhere and keys of the configuration, nothing else is in this folder.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    rmSync(file, { force: true })
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new StartError(
      `The first admin key cannot be written to ${file}: ${reason}. Set ${VARIABLES.data} to a folder that can be written, or run: dragoman keys create --name admin --scope admin`,
    )
  }
}
