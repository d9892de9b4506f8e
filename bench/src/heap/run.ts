import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runPass } from '../passes.ts'
import { describeMachine, fixed, formatTable } from '../table.ts'
import { listCases } from './cases.ts'
import type { Operation } from './exchange.ts'
import { compare, TOLERANCE, type Figures } from './compare.ts'
import { growthOf, HEAP_FLAGS } from './growth.ts'

const RECORDED = join(import.meta.dirname, 'recorded.json')
/** How often a case is tried: a bad result of the compiler is rare, but worse code is worse every time. */
const ATTEMPTS = 3

export interface HeapOptions {
  readonly record: boolean
  /** Only cases with this text in their name. */
  readonly only?: string | undefined
}

/** Compares the heap growth of every case with its record. A figure above it is a failure. */
export async function printHeap({ record, only = '' }: HeapOptions): Promise<void> {
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Figures // written below
  console.log(`${await describeMachine()}; one process for each case`)
  const found: Record<string, number> = {}
  for (const { name } of listCases().filter((each) => each.name.includes(only))) {
    found[name] = await leastOf(name, record ? undefined : recorded[name])
  }
  const rows = Object.entries(found).map(([name, now]) => {
    const before = recorded[name]
    const change = before === undefined ? NaN : (now / before - 1) * 100
    return [name, kilobytes(before), kilobytes(now), fixed(change, 1), compare(before, now)]
  })
  const title = `KB of heap per 1,000 operations; ${TOLERANCE * 100} % more than recorded fails`
  console.log(formatTable(title, ['', 'recorded', 'now', 'change %', ''], rows))
  if (record) writeFileSync(RECORDED, `${JSON.stringify({ ...recorded, ...found }, null, 2)}\n`)
  else if (rows.some(([, , , , verdict]) => verdict === 'MORE' || verdict === 'NOT RECORDED')) fail()
  else if (rows.some(([, , , , verdict]) => verdict === 'less'))
    console.log('\nsome cases allocate less now: record it with --record')
}

function fail(): void {
  console.log('\nFAILED: find the allocation, or record it with --record if it is justified')
  process.exitCode = 1
}

/** Tries again while the figure is above the record. */
async function leastOf(name: string, recorded: number | undefined): Promise<number> {
  let least = Infinity
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    least = Math.min(least, await measureCase(name))
    if (recorded !== undefined && compare(recorded, least) !== 'MORE') break
    if (recorded === undefined && attempt > 0) break
  }
  return least
}

/** Runs one case in its own Node process. Planted bytes are allocated with each operation. */
export async function measureCase(name: string, plantedBytes = 0): Promise<number> {
  return (await runPass(['heap-case', name, String(plantedBytes)], HEAP_FLAGS)) as number // printed below
}

export async function printCase(name: string, plantedBytes: number): Promise<void> {
  const found = listCases().find((each) => each.name === name)
  if (found === undefined) throw new Error(`No case ${name}.`)
  const operation = found.prepare()
  console.log(await growthOf(plantedBytes > 0 ? plant(operation, plantedBytes) : operation, found.operations))
}

function plant(operation: Operation, bytes: number): Operation {
  const planted: { kept: unknown } = { kept: undefined }
  return () => {
    planted.kept = Array.from({ length: bytes / 8 }, () => 0) // kept until the next operation, otherwise the compiler would remove it
    return operation()
  }
}

function kilobytes(bytes: number | undefined): string {
  return bytes === undefined ? '–' : fixed(bytes / 1024, 0)
}
