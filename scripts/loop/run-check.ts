import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentOf } from './environment.ts'
import { FOLDER_VARIABLE, type TestEvent } from './events.ts'
import { createProgress, type Worker } from './progress.ts'
import { hangOf, type Limits } from './watchdog.ts'

/** A command that checks something. */
export type Command = { readonly line: string; readonly directory: string; readonly log: string }

/** How a command ended. */
export type Outcome = {
  readonly exitCode: number
  readonly seconds: number
  /** The time that all its processes spent on the CPU; unknown if it was stopped. */
  readonly cpuSeconds: number | undefined
  /** Why it was stopped. */
  readonly hang: string | undefined
}

export type Running = {
  readonly outcome: Promise<Outcome>
  /** What its workers do now. None if it is not vitest, or has no worker yet. */
  workers(): readonly Worker[]
  stop(): void
}

const LOST = 'vitest ended without running its tests'
const POLL_MS = 200
const KILL_AFTER_MS = 5000
const LEFT_BEHIND_MS = 2000
/** Prints the CPU times of the shell and of its children after the command, in every POSIX shell. */
const MEASURED = '(eval "$DRAGOMAN_COMMAND"); code=$?; times >"$DRAGOMAN_TIMES"; exit $code'

/** Starts a command in a process group of its own, and ends the whole group if it hangs. Its output goes to the log. */
export function startCheck(command: Command, limits: Limits, onEvent: (event: TestEvent) => void): Running {
  const startedAt = Date.now()
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-loop-'))
  const progress = createProgress(folder)
  let hang: string | undefined
  let heardAt = startedAt
  let endedAt: number | undefined
  const lastFiles: string[] = []
  const listen = (): void => {
    for (const event of progress.read()) {
      heardAt = Date.now()
      if (event.kind === 'run-ended') endedAt = heardAt
      if (event.kind === 'file-ended') lastFiles.splice(0, Math.max(0, lastFiles.push(event.file) - 2))
      onEvent(event)
    }
  }

  const times = join(folder, 'times')
  const child = spawn('sh', ['-c', MEASURED], {
    cwd: command.directory,
    env: {
      ...environmentOf(process.env, command.directory),
      DRAGOMAN_COMMAND: command.line,
      DRAGOMAN_TIMES: times,
      [FOLDER_VARIABLE]: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const log = openLog(command.log, child)
  const timer = setInterval(() => {
    listen()
    const workers = progress.workers()
    heardAt = Math.max(heardAt, ...workers.map(({ since }) => since))
    const watched = { startedAt, heardAt, endedAt, workers, files: progress.files(), lastFiles }
    hang ??= hangOf(watched, Date.now(), limits)
    if (hang === undefined) return
    clearInterval(timer)
    stopGroup(child)
  }, POLL_MS)

  const outcome = (async (): Promise<Outcome> => {
    const exitCode = await exitOf(child)
    clearInterval(timer)
    listen()
    // A process that was left behind keeps the output open.
    await Promise.race([log, sleep(LEFT_BEHIND_MS)])
    stopGroup(child)
    // Node ends with the code of success if nothing can happen any more, for example if a global setup waits for ever.
    const isLost = exitCode === 0 && endedAt === undefined && /\bvitest run\b/.test(command.line)
    const cpuSeconds = hang === undefined ? readTimes(times) : undefined
    rmSync(folder, { recursive: true, force: true })
    const seconds = (Date.now() - startedAt) / 1000
    return isLost ? { exitCode: 1, seconds, cpuSeconds, hang: LOST } : { exitCode, seconds, cpuSeconds, hang }
  })()
  return { outcome, workers: () => progress.workers(), stop: () => stopGroup(child) }
}

function openLog(file: string, child: ChildProcess): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  const log = createWriteStream(file)
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  child.on('close', () => log.end())
  return finished(log)
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}

/** Ends a process with all that it started, servers and databases too. */
function stopGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  const group = -child.pid
  if (signal(group, 'SIGTERM')) setTimeout(() => signal(group, 'SIGKILL'), KILL_AFTER_MS)
}

/** Whether a process of the group was there to receive a signal. */
function signal(group: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(group, name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

/** Adds up what `times` prints: the user and system time of the shell, then of its children, such as `1m2.5s 0m0.3s`. */
function readTimes(file: string): number | undefined {
  if (!existsSync(file)) return undefined
  const parts = [...readFileSync(file, 'utf8').matchAll(/(\d+)m([\d.,]+)s/g)]
  if (parts.length === 0) return undefined
  return parts.reduce(
    (sum, [, minutes, seconds = '0']) => sum + Number(minutes) * 60 + Number(seconds.replace(',', '.')),
    0,
  )
}
