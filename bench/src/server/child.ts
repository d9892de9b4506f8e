import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeFolder } from './gateway.ts'
import { cpuMicrosOf, onCore, raisePriority, residentMegabytesOf, type Core } from './machine.ts'
import type { Role } from './roles.ts'

/** A server process under test, or the upstream behind it. */
export interface Child {
  readonly port: number
  readonly pid: number
  /** The time from the start of the process to its first response. */
  readonly startMs: number
  /** CPU microseconds of all its threads so far. */
  cpuMicros(): number
  residentMegabytes(): number
  /** The answer of the probe that it was started with. */
  ask(): Promise<unknown>
  /** Stops the process completely, until `resume`. */
  pause(): void
  resume(): void
  stop(): void
  /** Lets the process end by itself, as an operator would: only then it keeps its compiled code for the next start. */
  end(): Promise<void>
}

export interface ChildOptions {
  readonly script: string
  readonly args?: (port: number) => readonly string[]
  readonly env?: { readonly [name: string]: string }
  /** Its working directory, removed when it is stopped. */
  readonly folder?: string | undefined
  readonly core: Core
  /** A module that is loaded first and answers the benchmark's questions. */
  readonly probe?: string | undefined
  readonly flags?: readonly string[]
}

/** Starts one of our own servers. */
export function startRole(role: Role, core: Core, upstreamPort = 0, probe?: string): Promise<Child> {
  const script = join(import.meta.dirname, '../main.ts')
  return startChild({ script, args: (port) => ['serve', role, String(port), String(upstreamPort)], core, probe })
}

const END_MS = 10_000

/** Starts a Node process in its own session, and waits until its port accepts connections. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { script, args = () => [], env = {}, folder, core, probe, flags = [] } = options
  const port = await freePort()
  const probed = probe === undefined ? [] : ['--import', probe]
  const [command = '', ...rest] = [...onCore(core), process.execPath, ...flags, ...probed, script, ...args(port)]
  // The settings of the bench are not settings of the server.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('DRAGOMAN_'))
  const environment = { ...Object.fromEntries(own), ...env, PORT: String(port), NODE_ENV: 'production', NO_COLOR: '1' }
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
  const child = spawn(command, rest, { env: environment, cwd: folder, stdio: [...stdio], detached: true })
  const started = performance.now()
  if (child.pid !== undefined) raisePriority(child.pid)
  const letGo = endWithUs(child)
  await untilListening(port, child)
  const startMs = performance.now() - started
  const pid = child.pid ?? 0
  const stop = (): void => {
    letGo()
    child.kill('SIGKILL')
    if (folder !== undefined) removeFolder(folder)
  }
  return {
    port,
    pid,
    startMs,
    cpuMicros: () => cpuMicrosOf(pid),
    residentMegabytes: () => residentMegabytesOf(pid),
    async ask() {
      child.send('ask')
      const [answer] = (await once(child, 'message')) as [unknown]
      return answer
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop,
    async end() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(END_MS, undefined, { ref: false })])
      stop()
    },
  }
}

/** A process in its own session does not receive Ctrl-C, so it is ended together with this one. */
export function endWithUs(child: ChildProcess): () => void {
  const kill = (): void => void child.kill('SIGKILL')
  process.on('exit', kill)
  return () => void process.off('exit', kill)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(5)) {
    if (child.exitCode !== null) throw new Error(`The process ended with code ${child.exitCode} before it listened.`)
    const answered = await fetch(`http://127.0.0.1:${port}/healthz`, { method: 'HEAD' }).catch(() => undefined)
    if (answered !== undefined) return
  }
  throw new Error('The process did not listen within 60 seconds.')
}
