import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSqliteStore, type SqliteStore } from '@dragoman/store-sqlite'
import { describeMachine, fixed, formatTable, quickOf } from '../table.ts'
import { measureAdded } from './added.ts'
import { createGroups } from './calls.ts'
import { cpuMicros, measureLoad, STALL_MS } from './load.ts'

const BARS = {
  /** Microseconds of CPU for admitting and settling one call, in groups. */
  call: 20,
  /** Of one core, at 10,000 records a second. */
  share: 0.25,
  /** Gigabytes of 10 million records. */
  size: 2,
  /** Milliseconds. */
  start: 50,
} as const
/** A group of 500 opens as many calls and settles as many, so it goes to the thread. */
const GROUPS = [1, 10, 100, 250, 500]
/** Calls at the same time. The bar is for the last. */
const CONCURRENT = [1, 8, 32]

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
    const added: [string, number, number][] = []
    for (const count of CONCURRENT) {
      const { without, withAccounts } = await measureAdded(folder, count, pace === 'quick' ? 20 : 150)
      added.push([`${count} at a time`, without, withAccounts])
    }
    console.log(
      formatTable(
        'A relayed call inside one process, µs of CPU',
        ['', 'without accounts', 'with', 'added'],
        added.map(([name, without, withAccounts]) => [
          name,
          ...[without, withAccounts, withAccounts - without].map((micros) => fixed(micros, 1)),
        ]),
      ),
    )
    const [, without = Number.NaN, withAccounts = Number.NaN] = added.at(-1) ?? []
    const load = await measureLoad(folder, pace === 'quick' ? 3 : 20)
    const bytes = await measureSize(folder, records ?? (pace === 'quick' ? 50_000 : 1_000_000))
    const start = measureStart(folder)
    const rows: [string, number, number][] = [
      ['µs of CPU for a call, groups of 100', costs[2]?.[1] ?? Number.NaN, BARS.call],
      ['µs of CPU that accounts add to a call of the gateway, 32 at a time', withAccounts - without, BARS.call],
      ['share of a core at 10,000 records a second', load.share, BARS.share],
      [`commits of more than ${STALL_MS} ms of CPU then`, load.stalls, load.machineStalls],
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
      `loops of the usual length of a commit, in turn with the commits: ${load.machineStalls} took more than ${STALL_MS} ms; on average ${fixed(load.slowdown, 2)} times their usual time, by which the share is divided`,
    )
    console.log(`the same rounds without commits: ${fixed(load.idle, 0)} µs of CPU each, which the share is without`)
    if (load.machineStalls > 0) console.log('THE MACHINE ITSELF STALLS')
    if (rows.some(([, value, bar]) => !(value <= bar))) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Microseconds of CPU time for one call: the upper end of the quickest quarter of windows. */
export async function measureCall(folder: string, size: number, calls: number): Promise<number> {
  const store = openSqliteStore({ file: join(folder, `call-${size}.db`) })
  const groups = createGroups()
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

/** Bytes of the file for each record, with everything else in it. */
export async function measureSize(folder: string, records: number): Promise<number> {
  const file = join(folder, 'size.db')
  const store = openSqliteStore({ file })
  await fill(store, records)
  await store.close()
  return statSync(file).size / records
}

async function fill(store: SqliteStore, records: number): Promise<void> {
  const groups = createGroups()
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
