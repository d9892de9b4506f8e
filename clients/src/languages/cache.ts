import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder of everything that the suite installs. */
export const CACHE =
  process.env['DRAGOMAN_CLIENTS_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'dragoman-clients')

/** A folder for these pins. It is filled once; a half-filled folder is filled again. */
export async function installed(name: string, pins: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const digest = createHash('sha256').update(`${process.platform} ${process.arch} ${pins}`).digest('hex').slice(0, 12)
  const folder = join(CACHE, `${name}-${digest}`)
  const done = join(folder, '.complete')
  if (existsSync(done)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await fill(folder)
  writeFileSync(done, '')
  return folder
}
