import { spawn } from 'node:child_process'
import type { Command } from './client.ts'

/** How a process ended, and what it printed. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
}

export interface RunOptions {
  readonly cwd: string
  readonly home: string
  readonly timeoutMs: number
  /** Interrupts the process like Ctrl-C when it resolves. */
  readonly interrupt?: Promise<unknown>
}

/** How long an interrupted process may take to end by itself. */
const GRACE_MS = 20_000

/** Runs a command with a home of its own and none of our environment. */
export function runCommand({ program, args, env }: Command, options: RunOptions): Promise<Ended> {
  const { cwd, home, timeoutMs, interrupt } = options
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...environmentFor(home), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a process group of its own, so that its children end with it.
      detached: true,
    })
    const output = { stdout: '', stderr: '' }
    let timedOut = false
    const signal = (name: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
    const timer = setTimeout(() => {
      timedOut = true
      signal('SIGKILL')
    }, timeoutMs)
    let last: NodeJS.Timeout | undefined
    void interrupt?.then(() => {
      if (child.exitCode !== null) return
      signal('SIGINT')
      last = setTimeout(() => signal('SIGKILL'), GRACE_MS)
    })
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString('utf8')))
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      clearTimeout(last)
      // Processes that the client left behind.
      signal('SIGKILL')
      resolve({ code, ...output, timedOut })
    })
  })
}

function environmentFor(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
    HOME: home,
    TMPDIR: `${home}/tmp`,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
  }
}
