import { globSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CACHE, installed } from './cache.ts'
import type { DriverCommand } from './driver-command.ts'
import { findProgram } from './find-program.ts'
import { runInstall } from './run-install.ts'

const ROOT = join(import.meta.dirname, '../../java')

/** Compiles all drivers at once; the packages are downloaded once for all builds. */
export async function installDriver(_client: string, driver: string): Promise<DriverCommand> {
  // Maven compiles the drivers, which a runtime alone cannot.
  findProgram('A Java development kit, 17 or later', ['javac'], '-version', (printed) =>
    /^javac (1[7-9]|[2-9]\d)\b/.test(printed),
  )
  const java = findProgram('Java', ['java'], '-version')
  const maven = findProgram('Maven', ['mvn'], '-version')
  const files = globSync('{pom.xml,src/**/*.java}', { cwd: ROOT }).toSorted()
  const sources = files.map((file) => readFileSync(join(ROOT, file), 'utf8'))
  const folder = await installed('java', sources.join('\n'), (path) =>
    runInstall(
      [
        maven,
        '--batch-mode',
        '--quiet',
        `-Dmaven.repo.local=${join(CACHE, 'maven')}`,
        `-Dbuild.folder=${path}`,
        'compile',
        'dependency:copy-dependencies',
      ],
      ROOT,
    ),
  )
  const classes = [join(folder, 'classes'), join(folder, 'dependency', '*')].join(delimiter)
  return { versions: versionsOf(driver), program: java, args: ['-cp', classes, driver] }
}

/** The package of a driver is the first in pom.xml whose name contains its own. */
function versionsOf(driver: string): DriverCommand['versions'] {
  const text = readFileSync(join(ROOT, 'pom.xml'), 'utf8')
  const packages = [...text.matchAll(/<artifactId>(.+)<\/artifactId>\s*<version>(.+)<\/version>/g)]
  const [, name = '', version = ''] = packages.find(([, found]) => found?.includes(driver.toLowerCase())) ?? []
  return { [name]: version }
}
