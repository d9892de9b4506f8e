import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundleServer } from '@dragoman/server/bundle'
import { createAdmin, type Admin } from './admin.ts'
import { until } from './until.ts'

const END_WITH_PARENT = new URL('./end-with-parent.ts', import.meta.url).href
/** Servers take their compiled code from those before them, of whichever suite, which saves a third of their CPU time. */
const COMPILED = join(import.meta.dirname, '../../../node_modules/.cache/compiled-by-tests')

export interface ServerOptions {
  /** The configuration file, as an object. */
  readonly config?: object
  /** The configuration file, as text, if it is not JSON. */
  readonly yaml?: string
  readonly environment?: { readonly [name: string]: string }
  /** The data folder; a new one when absent, which goes with the server. */
  readonly data?: string
  /** false: the data folder is not made before the start. */
  readonly makesData?: boolean
  /** The checkout whose server is started, from its sources; this one when absent, bundled. */
  readonly root?: string
}

/** A server process of the working tree. */
export interface Server {
  readonly url: string
  readonly data: string
  readonly localKey: string
  /** Everything that it has printed. */
  readonly lines: readonly string[]
  /** The first admin key, in the data folder. */
  adminSecret(): string
  /** The admin API, with that key. */
  readonly admin: Admin
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  /** Ends it in order. Returns its exit code. */
  stop(): Promise<number | null>
  /** Null while it runs, or its exit code or signal. */
  readonly ended: () => number | string | null
}

/** The server did not start: these are its last words. */
export class NotStartedError extends Error {
  override readonly name = 'NotStartedError'
  readonly code: number | string | null
  readonly lines: readonly string[]
  constructor(code: number | string | null, lines: readonly string[]) {
    super(`The server ended with ${code}:\n${lines.slice(-20).join('\n')}`)
    this.code = code
    this.lines = lines
  }
}

/** Starts a real server on a free port of the loopback interface. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const { config, yaml, environment = {}, root } = options
  const main = root === undefined ? (await bundleServer()).main : join(root, 'apps/server/src/main.ts')
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-audit-'))
  const data = options.data ?? join(folder, 'data')
  if (options.makesData !== false) mkdirSync(data, { recursive: true, mode: 0o700 })
  if (config !== undefined) writeFileSync(join(folder, 'dragoman.config.json'), JSON.stringify(config))
  if (yaml !== undefined) writeFileSync(join(folder, 'dragoman.config.yaml'), yaml)
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, main], {
    cwd: folder,
    // A local Ollama must not affect the audit.
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      DRAGOMAN_DATA: data,
      DRAGOMAN_OLLAMA: 'off',
      DRAGOMAN_DRAIN_SECONDS: '0',
      NODE_COMPILE_CACHE: COMPILED,
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => void lines.push(line))
  const abandon = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', abandon)
  let code: number | string | null = null
  const closed = new Promise<void>((resolve) =>
    child.once('close', (exit, signal) => {
      code = exit ?? signal
      process.off('exit', abandon)
      rmSync(folder, { recursive: true, force: true, maxRetries: 9 })
      resolve()
    }),
  )
  const match = (pattern: RegExp): string | undefined =>
    lines.map((line) => pattern.exec(line)?.[1]).find((found) => found !== undefined)
  await until('the server to listen', () => code !== null || match(/listens on (\S+)/) !== undefined)
  const url = match(/listens on (\S+)/)
  if (url === undefined) throw new NotStartedError(code, lines)
  const adminSecret = (): string => readFileSync(join(data, 'admin-key'), 'utf8').trim()
  return {
    url,
    data,
    adminSecret,
    get localKey() {
      return readFileSync(join(data, 'local-key'), 'utf8').trim()
    },
    lines,
    admin: createAdmin(url, adminSecret),
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
    async stop() {
      child.kill('SIGTERM')
      await closed
      return child.exitCode
    },
    ended: () => code,
  }
}
