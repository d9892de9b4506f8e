import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret of this server that is kept across restarts, in a file that only its owner can read. It is made at the first start. */
export function keptSecret(folder: string, name: string, make: () => string): string {
  const file = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const made = make()
  return writeNew(file, made) ? made : readFileSync(file, 'utf8').trim()
}

/** False if the file already exists: another process has created the secret. */
function writeNew(file: string, text: string): boolean {
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
