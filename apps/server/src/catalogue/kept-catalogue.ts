import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The last good catalogue, with its signature. */
const NAME = 'catalogue.signed.json'

/** The signed file that was kept; undefined if there is none. */
export function readKept(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, NAME), 'utf8')
  } catch {
    return undefined
  }
}

/** Keeps a signed file for the next start. It is never half-written. Throws if the folder cannot be written. */
export function writeKept(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, NAME)
  const next = `${file}.${process.pid}`
  writeFileSync(next, text, { mode: 0o600 })
  renameSync(next, file)
}
