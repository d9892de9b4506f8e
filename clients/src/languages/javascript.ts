import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installed } from './cache.ts'
import { runInstall } from './run-install.ts'

type Pins = { readonly [client: string]: { readonly [name: string]: string } }

const ROOT = join(import.meta.dirname, '../..')

/** The packages of a client, in a folder of their own. */
export interface JavaScriptPackages {
  readonly folder: string
  readonly versions: { readonly [name: string]: string }
  /** The path of a program of these packages. */
  readonly bin: (name: string) => string
}

/** Installs the packages that pins/npm.json lists for a client. */
export async function installPackages(client: string): Promise<JavaScriptPackages> {
  const pins = JSON.parse(readFileSync(join(ROOT, 'pins/npm.json'), 'utf8')) as Pins // our own file
  const dependencies = pins[client]
  if (dependencies === undefined) throw new Error(`pins/npm.json has no ${client}`)
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies })
  const folder = await installed(`npm-${client}`, manifest, async (path) => {
    writeFileSync(join(path, 'package.json'), manifest)
    await runInstall(['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error'], path)
  })
  return { folder, versions: dependencies, bin: (name) => join(folder, 'node_modules/.bin', name) }
}

/** The command of a driver. It is copied beside its packages, where its imports are resolved. */
export async function installDriver(client: string, driver: string) {
  const { folder, versions } = await installPackages(client)
  const script = join(folder, `${driver}.mjs`)
  for (const name of [driver, 'contract'])
    copyFileSync(join(ROOT, 'drivers/javascript', `${name}.mjs`), join(folder, `${name}.mjs`))
  return { versions, program: process.execPath, args: [script] }
}
