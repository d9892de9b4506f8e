import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { protocols } from '@dragoman/core/protocols'
import { bundleServer, CHILD } from './bundle.ts'

/** The environment of a server or a command: it takes its code compiled from the processes before it, which saves a third of its CPU time. */
export const COMPILED = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compiled-by-tests'),
}

/** A server process, and everything it has printed. */
export interface ServerProcess {
  readonly url: string
  readonly key: string
  readonly pid: number
  /** The lines of the greeting, trimmed. */
  readonly greeting: readonly string[]
  readonly lines: readonly string[]
  /** The first matching log entry, old or new. */
  logged(fits: (entry: LogLine) => boolean): Promise<LogLine>
  signal(signal: NodeJS.Signals): void
  readonly exited: Promise<number | null>
  stop(): Promise<void>
}

export type LogLine = { readonly [member: string]: unknown }

/** The text of a line about the server itself. */
export function noteOf({ msg: text }: LogLine): string {
  return typeof text === 'string' ? text : ''
}

export type Variables = { readonly [name: string]: string }

/** Starts a real server on a free port, bundled, with its own data folder unless one is given. */
export async function startServer(environment: Variables = {}, cwd?: string): Promise<ServerProcess> {
  const { child } = await bundleServer()
  return startFile(child, environment, cwd)
}

/** Starts it from its sources, which takes three times as long: for packages that share modules with the server. */
export function startSources(environment: Variables): Promise<ServerProcess> {
  return startFile(CHILD, environment)
}

async function startFile(file: string, environment: Variables, cwd?: string): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-server-'))
  const child = spawn(process.execPath, [file], {
    cwd,
    // A local Ollama must not affect tests.
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DRAGOMAN_DATA: folder,
      DRAGOMAN_OLLAMA: 'off',
      // No balancer sends calls to it.
      DRAGOMAN_DRAIN_SECONDS: '0',
      ...COMPILED,
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const watchers = new Set<() => void>()
  // Neither the server nor its folder outlives the tests, whichever way they end.
  const abandon = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', abandon)
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      process.off('exit', abandon)
      rmSync(folder, { recursive: true, force: true })
      resolve(code)
    }),
  )
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const watcher of watchers) watcher()
  })
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const watcher = (): void => {
        const found = find()
        if (found === undefined) return
        watchers.delete(watcher)
        resolve(found)
      }
      watchers.add(watcher)
      void exited.then((code) => reject(new Error(`The server ended with ${code} first.`)))
      watcher()
    })
  const match = (pattern: RegExp) =>
    until(() => lines.map((line) => pattern.exec(line)?.[1]).find((found) => found !== undefined))
  const url = await match(/listens on (\S+)/)
  const isGreeted = (): boolean =>
    lines.filter((line) => line.includes('curl ')).length === protocols.length ||
    lines.some((line) => line.startsWith('no model for an example'))
  await until(() => isGreeted() || undefined)
  return {
    url,
    key: lines.map((line) => /^local key\s+(\S+)/.exec(line)?.[1]).find((key) => key !== undefined) ?? '',
    pid: child.pid ?? 0,
    greeting: lines.map((line) => line.trim()),
    lines,
    logged: (fits) => until(() => lines.flatMap(parseLine).find(fits)),
    signal: (signal) => void child.kill(signal),
    exited,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

function parseLine(line: string): LogLine[] {
  return line.startsWith('{') ? [JSON.parse(line) as LogLine] : []
}
