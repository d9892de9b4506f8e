import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Batch } from '@dragoman/accounts/store'
import { openSqliteStore } from '@dragoman/store-sqlite'
import { quickOf } from '../table.ts'
import { createGroups, type Groups } from './calls.ts'

/** A commit that takes longer is a stall. */
export const STALL_MS = 10
/** 10,000 calls a second, as groups of 10 ms. */
const PACE = { size: 100, everyMs: 10 }

export interface Load {
  /** CPU time of all threads by time that has passed, beyond that of the same rounds without commits, divided by the slowdown. */
  readonly share: number
  /** The mean time of a loop that usually takes as long as a commit, by its usual time. */
  readonly slowdown: number
  /** How many commits took more than the bar, and how many of as many loops. */
  readonly stalls: number
  readonly machineStalls: number
  readonly logMegabytes: number
  /** Microseconds of CPU time of a round that makes a group, drops it and waits. */
  readonly idle: number
}

/** 10,000 calls a second. A machine that cannot keep up gets fewer, and the share is that of the calls it got. */
export async function measureLoad(folder: string, seconds: number): Promise<Load> {
  const file = join(folder, 'load.db')
  const store = openSqliteStore({ file })
  const groups = createGroups()
  const count = (seconds * 1000) / PACE.everyMs
  let log = 0
  const run = async (rounds: number): Promise<readonly Round[]> => {
    const done: Round[] = []
    for (let index = 0; index < rounds; index++) {
      done.push(await measureRound(groups, (batch) => store.commit(batch)))
      log = Math.max(log, statSync(`${file}-wal`).size)
    }
    return done
  }
  const idleRounds = async (): Promise<readonly number[]> => {
    const others = createGroups()
    const times: number[] = []
    for (let index = 0; index < count / 8; index++) times.push((await measureRound(others, () => undefined)).all)
    return times
  }
  // Code that is not compiled yet is slower: the first quarter only says how long a commit usually takes.
  const turns = turnsOf(quickOf((await run(count / 4)).map(({ commit }) => commit)))
  const idleBefore = await idleRounds()
  const loops: number[] = []
  const rounds: Round[] = []
  while (rounds.length < (count * 3) / 4) {
    rounds.push(...(await run(1)))
    loops.push(loopMicros(turns))
  }
  const idle = meanOf([...idleBefore, ...(await idleRounds())])
  await store.close()
  const slowdown = meanOf(loops) / quickOf(loops)
  const stallsIn = (times: readonly number[]) => times.filter((micros) => micros > STALL_MS * 1000).length
  return {
    share: (meanOf(rounds.map(({ all }) => all)) - idle) / (PACE.everyMs * 1000) / slowdown,
    slowdown,
    stalls: stallsIn(rounds.map(({ commit }) => commit)),
    machineStalls: stallsIn(loops),
    logMegabytes: log / 2 ** 20,
    idle,
  }
}

/** Microseconds of CPU time. */
interface Round {
  readonly commit: number
  /** Of the commit and the time to the next round, in which other threads work and memory is collected. */
  readonly all: number
}

async function measureRound(groups: Groups, commit: (batch: Batch) => unknown): Promise<Round> {
  const batch = groups.next(PACE.size)
  const before = cpuMicros()
  await commit(batch)
  const committed = cpuMicros()
  await pause(PACE.everyMs)
  return { commit: committed - before, all: cpuMicros() - before }
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** How many turns of the loop usually take this long. */
function turnsOf(micros: number): number {
  const probe = 200_000
  return Math.round((probe * micros) / quickOf(Array.from({ length: 50 }, () => loopMicros(probe))))
}

/** CPU time of a loop that does nothing else. Its value is used, so that the compiler keeps it. */
function loopMicros(turns: number): number {
  const before = cpuMicros()
  let value = turns
  for (let turn = 0; turn < turns; turn++) value = Math.imul(value, 31) + turn
  return Number.isNaN(value) ? value : cpuMicros() - before
}

export function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
