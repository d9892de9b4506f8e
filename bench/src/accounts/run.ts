import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSqliteStore, type SqliteStore } from '@dragoman/store-sqlite'
import { describeMachine, fixed, formatTable, quickOf } from '../table.ts'
import { createGroups } from './calls.ts'

const BARS = {
  /** Microseconds of CPU for admitting and settling one call, in groups. */
  call: 20,
  /** Of one core, at 10,000 records a second. */
  share: 0.25,
  /** Milliseconds. */
  stall: 10,
  /** Gigabytes of 10 million records. */
  size: 2,
  /** Milliseconds. */
  start: 50,
} as const
/** A group of 500 opens as many calls and settles as many, so it goes to the thread. */
const GROUPS = [1, 10, 100, 250, 500]
const START = Date.UTC(2026, 10, 1)
/** 10,000 calls a second, as groups of 10 ms. */
const PACE = { size: 100, everyMs: 10 }

/** Measures the store in an SQLite file against the bars of accounts. Fails above them. */
export async function printAccounts(pace: 'quick' | 'full', records: number | undefined): Promise<void> {
  console.log(await describeMachine())
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-accounts-'))
  try {
    const costs: [string, number][] = []
    for (const size of GROUPS)
      costs.push([`groups of ${size}`, await measureCall(folder, size, pace === 'quick' ? 5000 : 40_000)])
    console.log(
      formatTable(
        'Admitting and settling a call',
        ['', 'µs of CPU'],
        costs.map(([name, micros]) => [name, fixed(micros, 1)]),
      ),
    )
    const load = await measureLoad(folder, pace === 'quick' ? 3 : 20)
    const bytes = await measureSize(folder, records ?? (pace === 'quick' ? 50_000 : 1_000_000))
    const start = measureStart(folder)
    const rows: [string, number, number][] = [
      ['µs of CPU for a call, groups of 100', costs[2]?.[1] ?? Number.NaN, BARS.call],
      ['share of a core at 10,000 records a second', load.share, BARS.share],
      [`commits of more than ${BARS.stall} ms of CPU then`, load.stalls, load.machineStalls],
      ['GB of 10 million records', (bytes * 1e7) / 1e9, BARS.size],
      ['ms of CPU to open an empty file', start, BARS.start],
    ]
    console.log(
      formatTable(
        'Bars',
        ['', 'measured', 'bar'],
        rows.map(([name, value, bar]) => [name, fixed(value, 2), fixed(bar, 2)]),
      ),
    )
    console.log(
      `\nbytes per record: ${fixed(bytes, 1)}; the log at 10,000 records a second: ${fixed(load.logMegabytes, 1)} MB at most`,
    )
    console.log(
      `loops of the usual length of a commit, in turn with the commits: ${load.machineStalls} took more than ${BARS.stall} ms; on average ${fixed(load.slowdown, 2)} times their usual time, by which the share is divided`,
    )
    if (load.machineStalls > 0) console.log('THE MACHINE ITSELF STALLS')
    if (rows.some(([, value, bar]) => !(value <= bar))) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Microseconds of CPU time for one call: the upper end of the quickest quarter of windows. */
export async function measureCall(folder: string, size: number, calls: number): Promise<number> {
  const store = openSqliteStore({ file: join(folder, `call-${size}.db`) })
  const groups = createGroups(START)
  const perWindow = Math.ceil(500 / size)
  const times: number[] = []
  for (let done = 0; done < calls; done += perWindow * size) {
    const batches = Array.from({ length: perWindow }, () => groups.next(size))
    const before = cpuMicros()
    for (const batch of batches) await store.commit(batch)
    times.push((cpuMicros() - before) / (perWindow * size))
    // The thread moves the log to the file now and then.
    await pause(0)
  }
  await store.close()
  // The first windows are compiled meanwhile.
  return quickOf(times.slice(Math.floor(times.length / 3)))
}

export interface Load {
  /** CPU time of all threads by time that has passed, divided by how much slower the machine made its own loop. */
  readonly share: number
  /** The mean time of a loop that usually takes as long as a commit, by its usual time. */
  readonly slowdown: number
  /** How many commits took more than the bar, and how many of as many loops. */
  readonly stalls: number
  readonly machineStalls: number
  readonly logMegabytes: number
}

/** 10,000 calls a second. A machine that cannot keep up gets fewer, and the share is that of the calls it got. */
export async function measureLoad(folder: string, seconds: number): Promise<Load> {
  const file = join(folder, 'load.db')
  const store = openSqliteStore({ file })
  const groups = createGroups(START)
  const perSecond = 1000 / PACE.everyMs
  // Code that is not compiled yet is slower: the first quarter only says how long a commit usually takes.
  const first = (seconds * perSecond) / 4
  const commits: number[] = []
  const loops: number[] = []
  let turns = 0
  let spent = 0
  let log = 0
  for (let index = 0; index < seconds * perSecond; index++) {
    if (index === first) turns = turnsOf(quickOf(commits.splice(0)))
    const batch = groups.next(PACE.size)
    const before = cpuMicros()
    await store.commit(batch)
    commits.push(cpuMicros() - before)
    await pause(PACE.everyMs)
    log = Math.max(log, statSync(`${file}-wal`).size)
    if (index < first) continue
    spent += cpuMicros() - before
    loops.push(loopMicros(turns))
  }
  await store.close()
  const slowdown = loops.reduce((sum, micros) => sum + micros, 0) / loops.length / quickOf(loops)
  const stallsIn = (times: readonly number[]) => times.filter((micros) => micros > BARS.stall * 1000).length
  return {
    share: spent / (commits.length * PACE.everyMs * 1000) / slowdown,
    slowdown,
    stalls: stallsIn(commits),
    machineStalls: stallsIn(loops),
    logMegabytes: log / 2 ** 20,
  }
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

/** Bytes of the file for each record, with everything else in it. */
export async function measureSize(folder: string, records: number): Promise<number> {
  const file = join(folder, 'size.db')
  const store = openSqliteStore({ file })
  await fill(store, records)
  await store.close()
  return statSync(file).size / records
}

async function fill(store: SqliteStore, records: number): Promise<void> {
  const groups = createGroups(START)
  for (let done = 0; done <= records; done += 250) {
    await store.commit(groups.next(250))
    if (done % 10_000 === 0) await pause(0)
  }
}

/** Milliseconds of CPU time in which a process with a gateway loads the package and opens an empty file: the least of several. */
function measureStart(folder: string): number {
  const importOf = (name: string): string => `await import(${JSON.stringify(import.meta.resolve(name))})`
  const times = Array.from({ length: 10 }, (_, index) => {
    const file = JSON.stringify(join(folder, `start-${index}.db`))
    const code = `${importOf('@dragoman/gateway')}
      const before = process.cpuUsage()
      const { openSqliteStore } = ${importOf('@dragoman/store-sqlite')}
      openSqliteStore({ file: ${file} })
      const { user, system } = process.cpuUsage(before)
      console.log((user + system) / 1000)`
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
    if (child.status !== 0) throw new Error(child.stderr)
    return Number(child.stdout)
  })
  return Math.min(...times)
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
