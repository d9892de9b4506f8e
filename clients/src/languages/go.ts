import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, installed } from './cache.ts'
import type { DriverCommand } from './driver-command.ts'
import { findProgram } from './find-program.ts'
import { runInstall } from './run-install.ts'

const ROOT = join(import.meta.dirname, '../../go')

/** Builds all drivers at once; the modules are downloaded once for all builds. */
export async function installDriver(_client: string, driver: string): Promise<DriverCommand> {
  // From 1.21 on, Go downloads the version that go.mod requires.
  const go = findProgram('Go 1.21 or later', ['go'], 'version', (printed) => /\bgo1\.(2[1-9]|[3-9]\d)\b/.test(printed))
  const files = globSync('**/*.{go,mod,sum}', { cwd: ROOT }).toSorted()
  const sources = files.map((file) => readFileSync(join(ROOT, file), 'utf8'))
  const folder = await installed('go', sources.join('\n'), (path) =>
    // The modules stay writable, so that the cache can be deleted.
    runInstall([go, 'build', '-o', path, './...'], ROOT, { GOPATH: join(CACHE, 'go-path'), GOFLAGS: '-modcacherw' }),
  )
  return { versions: versionsOf(driver), program: join(folder, driver), args: [] }
}

/** The module of a driver is the first in go.mod whose path contains its name. */
function versionsOf(driver: string): DriverCommand['versions'] {
  const modules = [...readFileSync(join(ROOT, 'go.mod'), 'utf8').matchAll(/^\t(\S+) v(\S+)/gm)]
  const [, path = '', version = ''] = modules.find(([, module]) => module?.includes(driver)) ?? []
  return { [path]: version }
}
