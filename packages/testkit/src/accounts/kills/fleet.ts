import { fork } from 'node:child_process'
import type { InstanceMessage, InstanceOrder } from './instance.ts'

/** An instance in a process of its own. */
export interface FleetInstance {
  readonly pid: number
  readonly url: string
  /** How often the store had given it up although it was alive. */
  readonly returns: number
  /** Ends it at once, and resolves when it has ended. */
  kill(): Promise<void>
  /** Stops it until `resume`. */
  stop(): void
  resume(): void
  /** Ends it in order, with everything committed. */
  close(): Promise<void>
}

export interface StartOptions {
  /** It runs `runInstance`. */
  readonly script: string
  readonly address: string
  readonly upstream: string
  /** A folder for compiled code: processes start in half the time. */
  readonly compiled: string
}

/** Starts an instance, and resolves when it listens. */
export async function startInstance({ script, address, upstream, compiled }: StartOptions): Promise<FleetInstance> {
  const child = fork(script, [address, upstream], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const failures: string[] = []
  let returns = 0
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message: InstanceMessage) => {
      if ('port' in message) resolve(message.port)
      else if ('failed' in message) failures.push(message.failed)
      else returns++
    })
    child.once('exit', (code) => reject(new Error(`An instance has ended with ${code}.`)))
    child.once('error', reject)
  })
  const tell = (told: InstanceOrder): void => void child.send(told)
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    get returns() {
      return returns
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    stop: () => tell('stop'),
    resume: () => void child.kill('SIGCONT'),
    async close() {
      tell('close')
      await exited
      if (child.exitCode !== 0) throw new Error(`An instance has ended with ${child.exitCode}: ${failures.join('; ')}`)
    },
  }
}
