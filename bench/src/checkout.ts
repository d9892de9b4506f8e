import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const KEPT = join(import.meta.dirname, '../.tools/before')
/** Written when a copy is complete. */
const READY = '.ready'

/** The folder of another checkout: the given folder, or a copy of the given commit with its packages, which is kept for the next run. */
export function checkoutOf(folderOrCommit: string): string {
  if (existsSync(join(folderOrCommit, 'apps/server'))) return resolve(folderOrCommit)
  const commit = commitOf(folderOrCommit)
  if (commit === undefined) throw new Error(`${folderOrCommit} is neither a checkout of this repository nor a commit.`)
  const folder = join(KEPT, commit.slice(0, 12))
  if (existsSync(join(folder, READY))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, 'commit.tar')
  run('git', ['archive', '-o', archive, commit], ROOT)
  run('tar', ['-xf', archive], folder)
  rmSync(archive)
  run(process.execPath, ['scripts/bootstrap.mjs', 'exec', 'node', '--version'], folder)
  writeFileSync(join(folder, READY), `${commit}\n`)
  return folder
}

function commitOf(name: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${(error?.message ?? stderr).trim()}`)
}
