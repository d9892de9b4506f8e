import { setTimeout as sleep } from 'node:timers/promises'
import { ANSWER_MARK } from '../corpus/answers.ts'
import type { Counted, Driver } from './driver.ts'
import type { Pauses } from './probe.ts'
import type { Reading, Take } from './rounds.ts'
import { STREAM_TOKENS_PER_SECOND } from './script.ts'
import { answerOf } from './shot.ts'
import type { Subject } from './subjects.ts'

/** One kind of load. */
export interface Workload {
  readonly title: string
  /** Characters of the question. */
  readonly size: number
  readonly connections: number
  readonly stream: boolean
}

export const WORKLOADS = {
  small: { title: 'Answers of 1.2 KB', size: 200, connections: 32, stream: false },
  large: { title: 'The same with request bodies of 64 KB', size: 64 * 1024, connections: 32, stream: false },
  tokens: {
    title: `100 streams of ${STREAM_TOKENS_PER_SECOND} tokens a second, one token per segment`,
    size: 200,
    connections: 100,
    stream: true,
  },
} as const satisfies { readonly [name: string]: Workload }

export interface Span {
  readonly leadMs: number
  readonly windowMs: number
}

/** Long enough for the server to notice that its clients have left. */
const LEAVE_MS = 100

/** Lets a subject run for one window only. A subject that fails is reported once and then left out. */
export function createTake(driver: Driver, { size, connections, stream }: Workload, span: Span): Take<Subject> {
  const drive = stream ? driver.streams : driver.calls
  return async ({ name, child, shot }) => {
    if (drive === undefined) return undefined
    child.resume()
    let begun: Promise<unknown> | undefined
    const onBegin = (): void => void (begun = child.ask())
    try {
      const counted = await drive({ shot: shot(size, stream), connections, ...span, pid: child.pid, onBegin })
      await begun
      return readingOf(counted, (await child.ask()) as Pauses) // from the probe that it was started with
    } catch (error) {
      console.log(`!!! ${name} FAILED and is left out: ${error instanceof Error ? error.message : 'unknown'}`)
      return undefined
    } finally {
      await sleep(LEAVE_MS)
      child.pause()
    }
  }
}

function readingOf({ count, micros, cpuMicros, p50, p99, max }: Counted, { gcMs, stallMs }: Pauses): Reading {
  return {
    micros: cpuMicros / count,
    perSecond: (count * 1e6) / micros,
    busy: cpuMicros / micros,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    maxMs: max / 1000,
    gc: (gcMs * 1000) / micros,
    stallMs,
  }
}

/** Checks that the server really calls the upstream. */
export async function checkAnswer({ name, kind, child, shot }: Subject): Promise<void> {
  child.resume()
  const { text, mode } = await answerOf(shot(WORKLOADS.small.size, false))
  if (!text.includes(ANSWER_MARK)) throw new Error(`${name} does not give the answer of the upstream: ${text}`)
  // A relay that translates would be compared with the bars of relays.
  const hasMode = kind === 'relay' || kind === 'translate'
  if (hasMode && mode !== kind) throw new Error(`${name} has the mode ${mode ?? 'unknown'} instead of ${kind}.`)
  child.pause()
}
