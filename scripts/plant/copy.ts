import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../sources.ts'

/** A copy of this checkout with its changes, so that nothing is planted in the files of the person who runs the command. */
export interface Copy {
  readonly folder: string
  remove(): void
}

export function createCopy(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-plant-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  // Files that are deleted and not committed yet are listed too.
  const files = listed
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(`${ROOT}/${file}`))
  for (const file of files) cpSync(`${ROOT}/${file}`, `${folder}/${file}`, { verbatimSymlinks: true })
  // It compares the faults with their files, so it would find each of them.
  rmSync(`${folder}/scripts/plant/faults.test.ts`)
  symlinkSync(`${ROOT}/.tools`, `${folder}/.tools`)
  execFileSync('node', ['scripts/bootstrap.mjs', 'exec', 'true'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
