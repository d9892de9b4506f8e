import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PACKAGE = join(import.meta.dirname, '../..')

/** A folder outside this repository with only the package in it, installed from its tarball. */
export interface Installed {
  readonly folder: string
  /** Paths inside the tarball. */
  readonly files: readonly string[]
  readonly manifest: { readonly dependencies: { readonly [name: string]: string } }
  remove(): void
}

export async function installPacked(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-core-'))
  await run('pnpm', ['pack', '--pack-destination', folder], { cwd: PACKAGE })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball'
  const list = await run('tar', ['-tzf', join(folder, tarball)])
  const manifest = { private: true, type: 'module', dependencies: { '@dragoman/core': `file:./${tarball}` } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), 'overrides:\n' + localDependencies())
  await run('pnpm', ['install', '--offline', '--ignore-scripts'], { cwd: folder })
  return {
    folder,
    files: list.stdout.trim().split('\n'),
    manifest: readJson(join(folder, 'node_modules/@dragoman/core/package.json')) as Installed['manifest'], // as packed
    remove: () => rmSync(folder, { recursive: true, maxRetries: 9 }), // a browser may still be cleaning up
  }
}

/** The packages in this workspace, so that the install needs no registry: each name in each available version. */
function localDependencies(): string {
  const { dependencies } = readJson(join(PACKAGE, 'package.json')) as Installed['manifest'] // our own
  const lines = Object.keys(dependencies).map((name) => {
    const source = realpathSync(join(PACKAGE, 'node_modules', name))
    const { version } = readJson(join(source, 'package.json')) as { version: string } // every package has one
    return `  '${name}@${version}': 'file:${source}'\n`
  })
  return lines.join('')
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
