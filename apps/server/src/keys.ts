import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyEntry } from '@dragoman/gateway'
import { StartError, type ServerSettings } from './settings.ts'

export interface ServerKeys {
  readonly entries: readonly KeyEntry[]
  /** The key made for this machine, which its owner may see; absent when the operator has given keys. */
  readonly local?: string
}

/** The operator's keys, or one of this machine's own that stays the same from start to start. */
export function loadKeys({ keys, dataFolder }: ServerSettings): ServerKeys {
  if (keys.length > 0) return { entries: keys.map((secret, index) => ({ id: `key-${index + 1}`, secret })) }
  const local = readOrMake(dataFolder)
  return { entries: [{ id: 'local', secret: local }], local }
}

function readOrMake(folder: string): string {
  const file = join(folder, 'local-key')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const made = `sk-dragoman-${randomBytes(24).toString('base64url')}`
    if (writeNew(file, made)) return made
    const kept = readFileSync(file, 'utf8').trim()
    if (/^[\w-]{16,}$/.test(kept)) return kept
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown'
    throw new StartError(`The local key could not be kept in ${folder}: ${reason}. Set DRAGOMAN_DATA or DRAGOMAN_KEYS.`)
  }
  throw new StartError(`${file} does not hold a key. Delete it to have a new one made.`)
}

/** False when the file is there already: whoever came first has made the key. */
function writeNew(file: string, text: string): boolean {
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
