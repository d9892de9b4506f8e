import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installed } from './cache.ts'
import type { DriverCommand } from './driver-command.ts'
import { findProgram } from './find-program.ts'
import { runInstall } from './run-install.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A virtual environment with a package and everything that is pinned in the same file. */
export interface PythonPackages {
  readonly versions: { readonly [name: string]: string }
  /** The path of a program of the environment. */
  readonly bin: (name: string) => string
}

/** Installs the file of pins that has the package. Packages that exclude each other are in different files. */
export async function installPackage(name: string): Promise<PythonPackages> {
  const { pins, version } = pinsOf(name)
  const python = findProgram('Python 3.11 or 3.12', ['python3', 'python3.12', 'python3.11'], '--version', (printed) =>
    /^Python 3\.1[12]\./.test(printed),
  )
  const text = readFileSync(pins, 'utf8')
  const folder = await installed('python', text, async (path) => {
    await runInstall([python, '-m', 'venv', path], path)
    await runInstall([join(path, 'bin/pip'), 'install', '--quiet', '--requirement', pins], path)
  })
  return { versions: { [name]: version }, bin: (program) => join(folder, 'bin', program) }
}

/** The command of `drivers/python/<package>_driver.py`; a driver has the name of its package. */
export async function installDriver(_client: string, driver: string): Promise<DriverCommand> {
  const { versions, bin } = await installPackage(driver)
  const script = join(ROOT, 'drivers/python', `${driver.replaceAll('-', '_')}_driver.py`)
  return { versions, program: bin('python'), args: ['-B', script] }
}

function pinsOf(name: string): { readonly pins: string; readonly version: string } {
  const line = new RegExp(`^${name}(?:-slim)?(?:\\[.*\\])?==(\\S+)$`, 'm')
  const folder = join(ROOT, 'pins')
  for (const file of readdirSync(folder).filter((found) => /^python.*\.txt$/.test(found))) {
    const pins = join(folder, file)
    const version = line.exec(readFileSync(pins, 'utf8'))?.[1]
    if (version !== undefined) return { pins, version }
  }
  throw new Error(`pins/python*.txt have no ${name}`)
}
