import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'

/** Of util-linux. */
const TASKSET = 'taskset'
const SETPRIV = 'setpriv'
const runs = (command: string, flag: string): boolean => spawnSync(command, [flag]).status === 0
const canPin = availableParallelism() > 1 && runs(TASKSET, '-V')
/** A child whose parent is killed is killed too. */
const WITH_PARENT = runs(SETPRIV, '-V') ? [SETPRIV, '--pdeathsig', 'KILL'] : []

/** `own`: the process under test has it to itself. `shared`: load and upstream. */
export type Core = 'own' | 'shared'

/** What comes before a command line so that the process runs on one core only. */
export function onCore(core: Core): readonly string[] {
  const number = core === 'own' ? '1' : '0'
  return canPin ? [...WITH_PARENT, TASKSET, '-c', number] : WITH_PARENT
}

/** Puts this process, which only waits, on the core that the servers under test do not have. */
export function pinOurselves(): string {
  if (!canPin) return 'not pinned to cores: taskset or a second core is missing'
  spawnSync(TASKSET, ['-a', '-p', '-c', '0', String(process.pid)])
  return 'the process under test has core 1 to itself; load and upstream share core 0'
}

const RAISED = -19

/**
 * Lets a process that is the leader of a session go before others. Linux shares a core out between sessions first: inside of one
 * the priority of a process counts, between them that of the session.
 */
export function raisePriority(pid: number): boolean {
  try {
    setPriority(pid, RAISED)
    writeFileSync(`/proc/${pid}/autogroup`, String(RAISED))
    return true
  } catch {
    return false // allowed to root only, and not everywhere
  }
}

const TICKS = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout?.trim()) || 100

/** CPU microseconds of all threads so far: fields 14 and 15, counted behind the name in parentheses. */
export function cpuMicrosOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * (1_000_000 / TICKS)
}

export function residentMegabytesOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
