import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** In memory, where the system has such a folder: tests do not wait for the disk. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A folder for the files of a test, which is deleted after it. */
export function createFolder(): { readonly path: string; file(name: string): string } {
  const path = mkdtempSync(join(PARENT, 'dragoman-cloudflare-'))
  afterAll(() => rmSync(path, { recursive: true }))
  return { path, file: (name) => join(path, name) }
}
