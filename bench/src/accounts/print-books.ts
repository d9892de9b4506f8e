import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeMachine, fixed, formatTable } from '../table.ts'
import { measureBooks } from './books.ts'

/** Milliseconds that pruning and reports may add to the 99th percentile of calls. */
const BAR_MS = 10

/** Measures calls beside pruning and reports of a million records. Fails above the bar. */
export async function printBooks(pace: 'quick' | 'full', records: number | undefined): Promise<void> {
  console.log(await describeMachine())
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-books-'))
  try {
    const count = records ?? (pace === 'quick' ? 100_000 : 1_000_000)
    const [windows, ms] = pace === 'quick' ? [3, 2000] : [20, 3000]
    const { quiet, busy, pruned, pages, turn, memory } = await measureBooks(folder, count, windows, ms)
    const rows = Object.entries({ alone: quiet, 'with pruning and reports': busy }).map(([name, latency]) => [
      name,
      ...[latency.median, latency.p99].map((value) => fixed(value, 2)),
    ])
    console.log(formatTable(`200 calls a second beside ${count} records, ms`, ['', 'median', 'p99'], rows))
    const added = busy.p99 - quiet.p99
    console.log(`\nadded to the 99th percentile: ${fixed(added, 2)} ms; the bar is ${BAR_MS}`)
    console.log(`${pruned} records deleted, ${pages} pages of reports read; the process grew by ${fixed(memory, 0)} MB`)
    console.log(`ms of CPU of the event loop for a page of 1,000 rows and its share of pruning: ${fixed(turn, 1)}`)
    if (!(added <= BAR_MS)) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}
