import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The C programs, built on this machine. */
export interface Native {
  readonly load: string
  readonly upstream: string
}

const SOURCES = join(import.meta.dirname, 'native')
const BUILT = join(import.meta.dirname, '../../.tools/native')

/** Builds the load generator and the upstream, unless these sources are already built. Returns the reason as text if that fails. */
export function buildNative(compiler = 'cc'): Native | string {
  const folder = join(BUILT, `${compiler}-${fingerprint()}`)
  const native = { load: join(folder, 'load'), upstream: join(folder, 'upstream') }
  if (existsSync(folder)) return native
  const temporary = `${folder}.${process.pid}`
  mkdirSync(temporary, { recursive: true })
  for (const name of Object.keys(native)) {
    const flags = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-o', join(temporary, name), join(SOURCES, `${name}.c`)]
    const { status, stderr, error } = spawnSync(compiler, flags, { encoding: 'utf8' })
    if (status === 0) continue
    rmSync(temporary, { recursive: true, force: true })
    return error === undefined ? `${compiler} failed: ${stderr.trim().slice(0, 2000)}` : `there is no ${compiler}`
  }
  // Renamed when it is complete, because another run may look for it at the same time.
  if (!existsSync(folder)) renameSync(temporary, folder)
  else rmSync(temporary, { recursive: true, force: true })
  return native
}

function fingerprint(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of ['http.h', 'load.c', 'upstream.c']) hash.update(readFileSync(join(SOURCES, file)))
  return hash.digest('hex').slice(0, 16)
}
