import { spawnSync } from 'node:child_process'
import { NotInstalledError } from '../client.ts'

/** The first of these programs that runs and fits. Throws a NotInstalledError without one. */
export function findProgram(
  language: string,
  programs: readonly string[],
  versionFlag: string,
  fits: (printed: string) => boolean = () => true,
): string {
  const found = programs.find((program) => {
    const { status, stdout, stderr } = spawnSync(program, [versionFlag], { encoding: 'utf8' })
    return status === 0 && fits(`${stdout}${stderr}`)
  })
  if (found === undefined) throw new NotInstalledError(`${language} is not installed (tried ${programs.join(', ')})`)
  return found
}
