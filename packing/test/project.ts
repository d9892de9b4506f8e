import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Packed } from './pack.ts'

const run = promisify(execFile)

/** The dependencies of our packages, which the workspace has: linked, so that no registry is asked. */
const OTHERS = [
  '@types/node',
  '@types/pg',
  'eventsource-parser',
  'fast-check',
  'ioredis',
  'pg',
  'undici',
  'vitest',
  'zod',
]

/** Programs take compiled code from those before them, of whichever suite. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compiled-by-tests')

/** A project outside of the workspace that has nothing but the tarballs. */
export interface Project {
  readonly folder: string
  write(file: string, text: string): void
  run(command: string, ...args: readonly string[]): Promise<Ran>
}

export interface Ran {
  readonly code: number
  readonly output: string
}

/** Installs the tarballs with npm into an empty folder. */
export async function createProject(folder: string, packed: readonly Packed[]): Promise<Project> {
  mkdirSync(folder)
  const own = packed.map(({ folder: name, tarball }) => [`@dragoman/${name}`, `file:${tarball}`] as const)
  const others = OTHERS.map(
    (name) => [name, `file:${realpathSync(join(import.meta.dirname, '../node_modules', name))}`] as const,
  )
  const manifest = { private: true, type: 'module', dependencies: Object.fromEntries([...own, ...others]) }
  const project = openProject(folder)
  project.write('package.json', JSON.stringify(manifest, null, 2))
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  const { code, output } = await project.run('npm', 'install', ...flags)
  if (code !== 0) throw new Error(`npm install failed:\n${output}`)
  return project
}

function openProject(folder: string): Project {
  return {
    folder,
    write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    },
    async run(command, ...args) {
      // Nothing of the test runner's own environment.
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        DRAGOMAN_RUNS: '3',
        NODE_COMPILE_CACHE: COMPILED,
        npm_config_cache: join(folder, '.npm'),
      }
      try {
        const { stdout, stderr } = await run(command, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
        return { code: 0, output: stdout + stderr }
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string } // of execFile
        return { code, output: stdout + stderr }
      }
    },
  }
}
