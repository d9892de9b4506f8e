import { checkoutOf } from '../checkout.ts'
import { requireName, today, writeRecord } from '../record.ts'
import { describeMachine } from '../table.ts'
import { fittingLoads, type LoadName } from './plan.ts'
import type { Driver } from './driver.ts'
import { pinOurselves } from './machine.ts'
import { measureLoads } from './loads.ts'
import { startNativeDriver } from './native-driver.ts'
import { buildNative } from './native.ts'
import { tableOfPairs } from './pairs.ts'
import { selectCandidates } from './selection.ts'
import { measureStarts } from './starts.ts'
import { measureStreamMemory, STREAM_MEMORY_MS, type StreamMemory } from './stream-memory.ts'
import { summarize } from './summary.ts'
import { listCandidates, type Candidate, type Subject } from './subjects.ts'
import { checkAnswer, WORKLOADS } from './window.ts'
import { startWrkDriver } from './wrk-driver.ts'

/** The time of a whole run, from its first line to its last. */
const LIMIT_MS = { full: 15 * 60_000, short: 4 * 60_000 }
/** Kept for a window that has just begun, and for the end, which takes longer on a busy machine. */
const RESERVE_MS = 20_000

const STARTS = { full: 5, short: 1 }

export interface ServerOptions {
  readonly pace: 'full' | 'quick'
  /** Measures only servers with this text in their kind or name, and the yardsticks. */
  readonly only?: string | undefined
  /** Another commit, or a checkout of it. Its server is measured beside this one. */
  readonly before?: string | undefined
  /** Measures only this load, or only `memory`. */
  readonly load?: string | undefined
  /** Writes the figures into the repository, under this name. */
  readonly record?: string | undefined
}

export async function printServers({ pace, only, before, load, record }: ServerOptions): Promise<void> {
  const began = performance.now()
  const length = pace === 'full' && only === undefined && before === undefined ? 'full' : 'short'
  const remainingMs = (): number => began + LIMIT_MS[length] - RESERVE_MS - performance.now()
  const loads = namesOf(load)
  if (record !== undefined) requireName(record)
  const checkout = before === undefined ? undefined : checkoutOf(before)
  const candidates =
    loads.length === 0 ? [] : selectCandidates(listCandidates(checkout), { pace, only, before: before !== undefined })
  const pinned = pinOurselves()
  const machine = await describeMachine()
  console.log(`${machine}\n${pinned}`)
  const driver = await startDriver()
  if (driver === undefined) return
  console.log(driver.description)
  const starts = await measureStarts(STARTS[length])
  let subjects: readonly Subject[] = []
  try {
    subjects = await startAll(candidates, driver.upstreamPort)
    const possible = driver.streams === undefined ? loads.filter((name) => !WORKLOADS[name].stream) : loads
    if (possible.length < loads.length) console.log('\n!!! STREAMS WERE NOT MEASURED: this needs a C compiler')
    const fitting = fittingLoads(possible, subjects.length, remainingMs())
    const left = possible.filter((name) => !fitting.includes(name))
    console.log(`${subjects.length} servers, at most ${Math.round(remainingMs() / 1000)} s more${describeLeft(left)}`)
    const measured = await measureLoads(fitting, { driver, subjects, remainingMs, isOnly: fitting.length === 1 })
    const memory = await measureMemory(driver, load, length === 'full' ? remainingMs() : 0)
    const summary = summarize(measured, starts, memory)
    console.log(`\n${summary}`)
    if (record !== undefined) {
      const text = `${summary}\n\n${tableOfPairs(measured)}`
      console.log(`\nrecorded in ${writeRecord({ name: record, part: 'Server', date: today(), machine, text })}`)
    }
    console.log(`\ntook ${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
  } finally {
    for (const { child } of subjects) child.stop()
    driver.stop()
  }
}

/** The memory of servers with 1,000 streams, which are measured one after the other. */
const MEMORY = 'memory'

/** Measured if it is asked for, or if a full run has time left. */
async function measureMemory(
  driver: Driver,
  load: string | undefined,
  remainingMs: number,
): Promise<StreamMemory | undefined> {
  if (load !== MEMORY && (load !== undefined || remainingMs < STREAM_MEMORY_MS)) {
    console.log(`\n1,000 streams are not measured: use --load ${MEMORY} for that`)
    return undefined
  }
  try {
    return await measureStreamMemory(driver)
  } catch (error) {
    console.log(`!!! 1,000 STREAMS WERE NOT MEASURED: ${error instanceof Error ? error.message : 'unknown'}`)
    return undefined
  }
}

function namesOf(load: string | undefined): readonly LoadName[] {
  if (load === MEMORY) return []
  const all = Object.keys(WORKLOADS) as LoadName[] // its own keys
  const names = load === undefined ? all : all.filter((name) => name === load)
  if (names.length === 0) throw new Error(`No load ${load}. Loads: ${all.join(', ')}, ${MEMORY}.`)
  return names
}

function describeLeft(left: readonly LoadName[]): string {
  return left.length === 0 ? '' : `; no time for ${left.join(' and ')}: use --load ${left.join(' or ')} for that`
}

/** The C programs; without a compiler wrk; without both nothing, with a clear message. */
async function startDriver(): Promise<Driver | undefined> {
  const native = buildNative()
  if (typeof native !== 'string') return startNativeDriver(native)
  const driver = await startWrkDriver()
  if (driver !== undefined) return driver
  console.log(`!!! NOTHING WAS MEASURED: ${native}, and there is no wrk. On Debian: apt install gcc libc6-dev, or wrk`)
  process.exitCode = 1
  return undefined
}

/** All servers run at once, each stopped until its turn: an idle server must not collect garbage on the core of another. */
async function startAll(candidates: readonly Candidate[], upstreamPort: number): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (const { name, start } of candidates) {
    try {
      const subject = await start(upstreamPort)
      await checkAnswer(subject)
      subjects.push(subject)
    } catch (error) {
      console.log(`!!! ${name} IS LEFT OUT: ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }
  return subjects
}
