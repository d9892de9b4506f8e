import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The redis-server of this machine. */
export interface RedisProgram {
  readonly path: string
  /** True if Redis is not installed and the tests that need it may be skipped. With `CI` set they run, and fail. */
  readonly isSkipped: boolean
}

/** Finds the program in `PATH`. If it is missing, writes to stderr what is not tested. */
export function findRedis(untested: string): RedisProgram {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, 'redis-server')).find((file) => existsSync(file))
  const isSkipped = found === undefined && process.env['CI'] === undefined
  if (isSkipped) process.stderr.write(`\n!!! NOT RUN: no redis-server here, so this is not tested: ${untested} !!!\n`)
  return { path: found ?? 'redis-server', isSkipped }
}

/** A Redis of its own, empty. */
export interface RunningRedis {
  /** The path of its socket. */
  readonly socket: string
  /** Stops it where it is, so that nothing answers. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Ends at once, as a crash would. All data is lost. */
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts Redis in a temporary folder, with a socket in that folder, without a port and without files. */
export async function startRedis({ path }: RedisProgram, flags: readonly string[] = []): Promise<RunningRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-redis-'))
  const socket = join(folder, 'redis.sock')
  let child: ChildProcess
  const start = async (): Promise<void> => {
    const args = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', folder, ...flags]
    const started = spawn(path, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    const failed = once(started, 'error').then(([error]) => {
      throw error
    })
    await Promise.race([failed, untilReady(started)])
  }
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  // Neither Redis nor its folder outlives the process, whichever way that ends.
  const abandon = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  await start()
  process.once('exit', abandon)
  return {
    socket,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill: end,
    restart: start,
    async stop() {
      process.off('exit', abandon)
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady({ stdout }: ChildProcess): Promise<void> {
  let output = ''
  for await (const chunk of stdout ?? []) {
    output += String(chunk)
    if (output.includes('connections at')) {
      stdout?.resume()
      return
    }
  }
  throw new Error(`Redis did not start:\n${output}`)
}
