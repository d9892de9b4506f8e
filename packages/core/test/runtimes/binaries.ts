import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const FOLDER = import.meta.dirname
const ARCHITECTURE = process.arch === 'arm64' ? 'aarch64' : process.arch
const NODE = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
const LIBC = process.platform === 'linux' ? '-glibc' : ''

/** Where the other runtimes are once `installRuntimes` is done. They come as npm packages, one per platform. */
export const BINARY_OF = {
  'Node 22': inPackages(`${NODE}-${process.platform}-${process.arch}/bin/node`),
  Bun: inPackages(`@oven/bun-${process.platform}-${ARCHITECTURE}/bin/bun`),
  Deno: inPackages(`@deno/${process.platform}-${process.arch}${LIBC}/deno`),
}

/** Brings them, by a lockfile of their own: they are large, and nothing but this test wants them. */
export async function installRuntimes(): Promise<void> {
  const flags = ['--ignore-workspace', '--ignore-scripts', '--frozen-lockfile', '--prefer-offline']
  await promisify(execFile)('pnpm', ['install', ...flags], { cwd: FOLDER })
}

/** Debian's browser, or that of whoever names one. */
export function findChromium(): string | undefined {
  const named = process.env['DRAGOMAN_CHROMIUM']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return named ?? folders.map((folder) => join(folder, 'chromium')).find((file) => existsSync(file))
}

function inPackages(path: string): string {
  return join(FOLDER, 'node_modules', path)
}
