import { SERVER_BARS } from '../bars.ts'
import { describeMachine } from '../table.ts'
import type { Driver } from './driver.ts'
import { joinLaunches, needsLaunch } from './launches.ts'
import { pinOurselves } from './machine.ts'
import { startNativeDriver } from './native-driver.ts'
import { buildNative } from './native.ts'
import { printTable } from './report.ts'
import { takeRounds, warmUp } from './rounds.ts'
import { measureStarts } from './starts.ts'
import { summarize, type Measured } from './summary.ts'
import { beforeOf, listCandidates, type Candidate, type Subject } from './subjects.ts'
import { checkAnswer, createTake, WORKLOADS } from './window.ts'
import { startWrkDriver } from './wrk-driver.ts'

interface Pace {
  readonly starts: number
  /** How often all servers are started anew for the first table: more than `least` only while the yardsticks differ too much. */
  readonly launches: { readonly least: number; readonly most: number }
  readonly plan: { readonly [name in keyof typeof WORKLOADS]: Plan }
}

interface Plan {
  /** Windows of warm-up, least and most. After the first table, only code for the new load must warm up. */
  readonly least: number
  readonly most: number
  /** Many short rounds: a machine whose speed changes within minutes is constant within a round. */
  readonly rounds: number
  readonly windowMs: number
}

const PACE_OF = {
  full: {
    starts: 5,
    launches: { least: 3, most: 6 },
    plan: {
      small: { least: 8, most: 10, rounds: 12, windowMs: 500 },
      large: { least: 3, most: 6, rounds: 24, windowMs: 500 },
      tokens: { least: 2, most: 4, rounds: 16, windowMs: 1000 },
    },
  },
  quick: {
    starts: 1,
    launches: { least: 1, most: 1 },
    plan: {
      small: { least: 5, most: 5, rounds: 12, windowMs: 500 },
      large: { least: 2, most: 2, rounds: 12, windowMs: 500 },
      tokens: { least: 1, most: 1, rounds: 8, windowMs: 1000 },
    },
  },
} as const satisfies { readonly [name: string]: Pace }

const WARM_UP = { leadMs: 0, windowMs: 2000 }
const LEAD_MS = 200

/** The settings of a quick run. */
const QUICK = [
  'node:http pass-through',
  'the same once more',
  'dragoman chat → chat',
  'dragoman messages → chat',
  'dragoman chat → genai',
]

export interface ServerOptions {
  readonly pace: keyof typeof PACE_OF
  /** Measures only subjects with this text in their kind or name, and the yardsticks. */
  readonly only?: string | undefined
  /** A checkout of another commit, with its packages installed. Its server is measured beside this one. */
  readonly before?: string | undefined
}

export async function printServers({ pace, only, before }: ServerOptions): Promise<void> {
  const began = performance.now()
  const pinned = pinOurselves()
  console.log(`${await describeMachine()}\n${pinned}`)
  const driver = await startDriver()
  if (driver === undefined) return
  console.log(driver.description)
  const starts = await measureStarts(PACE_OF[pace].starts)
  const wanted = ({ name, kind }: Candidate): boolean =>
    kind === 'yardstick' ||
    (only === undefined
      ? pace === 'full' || QUICK.some((quick) => [quick, beforeOf(quick)].includes(name))
      : `${kind} ${name}`.includes(only))
  const candidates = listCandidates(before).filter(wanted)
  let subjects: readonly Subject[] = []
  try {
    const launches: Measured['found'][] = []
    const joined = (): Measured['found'] => joinLaunches(launches, isYardstick)
    while (needsLaunch(PACE_OF[pace].launches, launches.length, joined)) {
      for (const { child } of subjects) child.stop()
      subjects = await startAll(candidates, driver.upstreamPort)
      launches.push((await measure('small', driver, subjects, pace)).found)
    }
    const small: Measured = { workload: WORKLOADS.small, found: joined() }
    printTable(small, { relay: SERVER_BARS.relayRequest, translate: SERVER_BARS.translateRequest })
    const large = await measure('large', driver, subjects, pace)
    printTable(large, { relay: SERVER_BARS.relayLarge, translate: SERVER_BARS.translateLarge })
    const tokens = driver.streams === undefined ? undefined : await measure('tokens', driver, subjects, pace)
    if (tokens === undefined) console.log('\n!!! STREAMS WERE NOT MEASURED: this needs a C compiler')
    else printTable(tokens, { relay: SERVER_BARS.relayToken, translate: SERVER_BARS.translateToken })
    console.log(`\n${summarize(small, large, tokens, starts)}`)
    console.log(`\ntook ${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
  } finally {
    for (const { child } of subjects) child.stop()
    driver.stop()
  }
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

/** Each server is stopped until its turn: an idle server must not collect garbage on the core of another. */
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

async function measure(
  name: keyof typeof WORKLOADS,
  driver: Driver,
  subjects: readonly Subject[],
  pace: ServerOptions['pace'],
): Promise<Measured> {
  const workload = WORKLOADS[name]
  const { rounds, windowMs, ...limits } = PACE_OF[pace].plan[name]
  const { windows, unstable } = await warmUp(subjects, limits, createTake(driver, workload, WARM_UP))
  const seconds = (windows * WARM_UP.windowMs) / 1000
  const verdict = unstable.length === 0 ? 'all stable' : `NOT STABLE: ${unstable.map(({ name }) => name).join(', ')}`
  console.log(`\nwarmed up for ${seconds} s each: ${verdict}`)
  const take = createTake(driver, workload, { leadMs: LEAD_MS, windowMs })
  return { workload, found: await takeRounds(subjects, rounds, isYardstick, take) }
}

function isYardstick({ kind }: Pick<Candidate, 'kind'>): boolean {
  return kind === 'yardstick'
}
