import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const ROOT = join(import.meta.dirname, '../..')

/** The folders of the packages that are published. */
export const FOLDERS: readonly string[] = readdirSync(join(ROOT, 'packages')).sort()

/** What stands in the package.json of a package, as far as it matters here. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly engines: { readonly node: string }
  readonly exports: { readonly [entry: string]: unknown }
  readonly dependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}

/** A package as it would be published. */
export interface Packed {
  readonly folder: string
  readonly tarball: string
  /** Paths inside the tarball, without the folder that they are all in. */
  readonly files: readonly string[]
}

/** Packs every package in a copy of the repository that has nothing installed and nothing built. */
export async function packAll(folder: string): Promise<readonly Packed[]> {
  const copy = join(folder, 'repository')
  copyRepository(copy)
  // Everything is in the store of pnpm already: the workspace has it.
  await run('pnpm', ['install', '--offline', '--frozen-lockfile', '--ignore-scripts'], { cwd: copy })
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  // In the order of their dependencies: a package builds those that it needs, and two must not build the same one at a time.
  const pack = ['exec', 'pnpm', 'pack', '--pack-destination', tarballs]
  await run('pnpm', ['-r', '--filter', './packages/*', ...pack], { cwd: copy })
  return Promise.all(FOLDERS.map((name) => findPacked(name, tarballs)))
}

/** As a clone has it. */
function copyRepository(copy: string): void {
  mkdirSync(copy)
  for (const name of BESIDE_PACKAGES) cpSync(join(ROOT, name), join(copy, name))
  const isSource = (path: string): boolean => !/^(node_modules|dist|\.vitest|\.turbo)$/.test(basename(path))
  for (const name of ['packages', 'browser'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: isSource })
}

const BESIDE_PACKAGES = [
  'package.json',
  'pnpm-workspace.yaml',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'LICENSE',
]

async function findPacked(name: string, tarballs: string): Promise<Packed> {
  const { version } = readManifest(join(ROOT, 'packages', name))
  const tarball = join(tarballs, `dragoman-${name}-${version}.tgz`)
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.trim().split('\n')
  return { folder: name, tarball, files: files.map((file) => file.replace(/^package\//, '')) }
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest // a package of ours
}
