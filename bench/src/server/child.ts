import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Role } from './roles.ts'

/** A server process under test, or the upstream behind it. */
export interface Child {
  readonly port: number
  /** From the start of the process to its first answer. */
  readonly startMs: number
  /** CPU microseconds of all its threads so far. */
  cpuMicros(): number
  residentMegabytes(): number
  /** After a full collection; of a process that was started with a probe. */
  heapMegabytes(): Promise<number>
  stop(): void
}

export interface ChildOptions {
  readonly script: string
  readonly args?: (port: number) => readonly string[]
  readonly env?: { readonly [name: string]: string }
  readonly core: 'own' | 'shared'
  /** A module that is loaded first and answers questions about the heap. */
  readonly probe?: string
}

/** Starts one of our own servers. */
export function startRole(role: Role, core: ChildOptions['core'], upstreamPort = 0): Promise<Child> {
  const script = join(import.meta.dirname, '../main.ts')
  return startChild({ script, args: (port) => ['serve', role, String(port), String(upstreamPort)], core })
}

/** Starts a Node process and waits until its port takes connections. */
export async function startChild({ script, args = () => [], env = {}, core, probe }: ChildOptions): Promise<Child> {
  const port = await freePort()
  const pinned = core === 'own' ? OWN_CORE : SHARED_CORE
  const probed = probe === undefined ? [] : ['--expose-gc', '--import', probe]
  const line = [...pinned, process.execPath, ...probed, script, ...args(port)]
  const [command = '', ...rest] = line
  const environment = { ...process.env, ...env, PORT: String(port), NODE_ENV: 'production', NO_COLOR: '1' }
  const child = spawn(command, rest, { env: environment, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const started = performance.now()
  const kill = (): void => void child.kill('SIGKILL')
  process.on('exit', kill)
  await untilListening(port, child)
  const startMs = performance.now() - started
  const { pid } = child
  return {
    port,
    startMs,
    cpuMicros: () => ticksOf(pid) * (1_000_000 / TICKS),
    residentMegabytes: () => residentOf(pid),
    async heapMegabytes() {
      if (probe === undefined) return NaN
      child.send('heap')
      const [bytes] = (await once(child, 'message')) as [number]
      return bytes / 1024 / 1024
    },
    stop() {
      process.off('exit', kill)
      kill()
    },
  }
}

/** Puts this process, which makes the load, on the core that the servers under test do not have. */
export function pinOurselves(): string {
  if (SHARED_CORE.length === 0) return 'not pinned to cores: taskset or a second core is missing'
  spawnSync(TASKSET, ['-a', '-p', '-c', '0', String(process.pid)])
  return 'the process under test has core 1 to itself; load and upstream share core 0'
}

/** Of util-linux. */
const TASKSET = 'taskset'
const canPin = availableParallelism() > 1 && spawnSync(TASKSET, ['-V']).status === 0
const OWN_CORE = canPin ? [TASKSET, '-c', '1'] : []
const SHARED_CORE = canPin ? [TASKSET, '-c', '0'] : []
const TICKS = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout.trim()) || 100

/** User and system time in clock ticks: fields 14 and 15, counted behind the name in parentheses. */
function ticksOf(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function residentOf(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
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
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(5)) {
    if (child.exitCode !== null) throw new Error(`The process ended with code ${child.exitCode} before it listened.`)
    const answered = await fetch(`http://127.0.0.1:${port}/healthz`, { method: 'HEAD' }).catch(() => undefined)
    if (answered !== undefined) return
  }
  throw new Error('The process did not listen within 20 seconds.')
}
