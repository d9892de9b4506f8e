import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'

/** A program of util-linux. */
const TASKSET = 'taskset'
const SETPRIV = 'setpriv'
const runs = (command: string, flag: string): boolean => spawnSync(command, [flag]).status === 0
const canPin = availableParallelism() > 1 && runs(TASKSET, '-V')
/** Kills the child if its parent is killed. */
const WITH_PARENT = runs(SETPRIV, '-V') ? [SETPRIV, '--pdeathsig', 'KILL'] : []

/** `own`: only for the process under test. `shared`: for load generator and upstream. `any`: not pinned. */
export type Core = 'own' | 'shared' | 'any'

/** The prefix of a command line that runs the process on one core only. */
export function onCore(core: Core): readonly string[] {
  if (core === 'any') return WITH_PARENT
  const number = core === 'own' ? '1' : '0'
  return canPin ? [...WITH_PARENT, TASKSET, '-c', number] : WITH_PARENT
}

/** Moves this process, which only waits, to the core that the servers under test do not use. */
export function pinOurselves(): string {
  if (!canPin) return 'not pinned to cores: taskset or a second core is missing'
  spawnSync(TASKSET, ['-a', '-p', '-c', '0', String(process.pid)])
  return 'the process under test has core 1 to itself; load and upstream share core 0'
}

const RAISED = -19

/**
 * Raises the priority of a process that leads a session. Linux divides a core between sessions first: inside a session the priority
 * of a process counts, between sessions that of the session.
 */
export function raisePriority(pid: number): boolean {
  try {
    setPriority(pid, RAISED)
    writeFileSync(`/proc/${pid}/autogroup`, String(RAISED))
    return true
  } catch {
    return false // allowed only to root, and not everywhere
  }
}

const TICKS = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout?.trim()) || 100

/** CPU microseconds of all threads so far: fields 14 and 15, counted after the name in parentheses. */
export function cpuMicrosOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * (1_000_000 / TICKS)
}

export function residentMegabytesOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
