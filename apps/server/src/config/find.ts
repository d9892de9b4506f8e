import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Environment } from '@dragoman/core/provider'
import { StartError } from '../settings.ts'
import { VARIABLES } from '../variables.ts'

const NAMES = ['dragoman.config.json', 'dragoman.config.yaml', 'dragoman.config.yml']

/** The configuration file: the one in `DRAGOMAN_CONFIG`, or the one in this folder; undefined if there is none. */
export function findConfig(environment: Environment, folder: string): string | undefined {
  const named = environment[VARIABLES.config] ?? ''
  if (named !== '') {
    const file = resolve(folder, named)
    if (!existsSync(file)) throw new StartError(`${VARIABLES.config} names ${file}, which does not exist.`)
    return file
  }
  const [found, other] = NAMES.filter((name) => existsSync(join(folder, name)))
  if (other !== undefined) throw new StartError(`There are both ${found} and ${other}: keep one of them.`)
  return found === undefined ? undefined : join(folder, found)
}

/** The folder from which a configuration names packages: that of its file, or the current one without a file. */
export function folderOf(file: string | undefined): string {
  return file === undefined ? process.cwd() : dirname(file)
}
