import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const FOLDER = import.meta.dirname
const ARCHITECTURE = process.arch === 'arm64' ? 'aarch64' : process.arch
const NODE = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
const LIBC = process.platform === 'linux' ? '-glibc' : ''

/** The paths of the other runtimes after `installRuntimes`. They are npm packages, one per platform. */
export const BINARY_OF = {
  'Node 22': inPackages(`${NODE}-${process.platform}-${process.arch}/bin/node`),
  Bun: inPackages(`@oven/bun-${process.platform}-${ARCHITECTURE}/bin/bun`),
  Deno: inPackages(`@deno/${process.platform}-${process.arch}${LIBC}/deno`),
}

/** Installs them with their own lockfile, because they are large and only this test needs them. */
export async function installRuntimes(): Promise<void> {
  const flags = ['--ignore-workspace', '--ignore-scripts', '--frozen-lockfile', '--prefer-offline']
  await promisify(execFile)('pnpm', ['install', ...flags], { cwd: FOLDER })
}

function inPackages(path: string): string {
  return join(FOLDER, 'node_modules', path)
}
