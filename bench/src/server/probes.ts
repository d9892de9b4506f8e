import { setTimeout as sleep } from 'node:timers/promises'
import { ANSWER_MARK } from '../corpus/answers.ts'
import { median } from '../table.ts'
import { callOnce, callRepeatedly, readStreams, type Reading, type Shot } from './load.ts'
import type { Subject } from './subjects.ts'

export interface Timing {
  readonly rounds: number
  /** For all subjects and rounds of one table together. */
  readonly callsMs: number
  readonly tokensMs: number
  readonly settleMs: number
}

/** The middle of all rounds. */
export interface Found {
  readonly subject: Subject
  readonly perSecond: number
  /** CPU time of the process under test per request or token. */
  readonly micros: number
  /** To the yardstick in the same round. */
  readonly ratio: number
}

const CONNECTIONS = 32
const STREAMS = 100

/** Whole answers, one after another on many connections. */
export async function measureCalls(subjects: readonly Subject[], size: number, timing: Timing): Promise<Found[]> {
  const { rounds, callsMs } = timing
  const share = callsMs / (subjects.length * (rounds + 1))
  for (const subject of subjects) {
    await checkAnswer(subject, size)
    await callRepeatedly(subject.shot(size, false), CONNECTIONS, share)
  }
  return inRounds(subjects, rounds, async ({ child, shot }) => {
    const before = child.cpuMicros()
    const { count, seconds } = await callRepeatedly(shot(size, false), CONNECTIONS, share)
    return { micros: (child.cpuMicros() - before) / count, perSecond: count / seconds }
  })
}

/** A server that is fast because it does not ask the upstream is not measured. */
async function checkAnswer({ name, shot }: Subject, size: number): Promise<void> {
  const text = await callOnce(shot(size, false))
  if (!text.includes(ANSWER_MARK)) throw new Error(`${name} does not give the answer of the upstream: ${text}`)
}

/** Streams under way: their beginnings and ends are outside the window. */
export async function measureTokens(subjects: readonly Subject[], timing: Timing): Promise<Found[]> {
  const { settleMs, tokensMs } = timing
  const rounds = Math.min(timing.rounds, 2)
  const share = tokensMs / (subjects.length * rounds) - settleMs
  return inRounds(subjects, rounds, async ({ name, child, shot }) => {
    const reading = await flowing(name, shot(200, true), STREAMS)
    await sleep(settleMs)
    const before = { cpu: child.cpuMicros(), tokens: reading.tokens(), time: performance.now() }
    await sleep(share)
    const count = reading.tokens() - before.tokens
    const micros = (child.cpuMicros() - before.cpu) / count
    const perSecond = (count * 1000) / (performance.now() - before.time)
    reading.stop()
    await sleep(100)
    return { micros, perSecond }
  })
}

/** Opens streams and waits until as many tokens have come as there are streams. */
async function flowing(name: string, shot: Shot, streams: number): Promise<Reading> {
  const reading = await readStreams(shot, streams)
  for (const end = performance.now() + 5000; performance.now() < end; await sleep(20)) {
    if (reading.tokens() >= streams) return reading
  }
  throw new Error(`${name} does not stream the tokens of the upstream.`)
}

interface Figures {
  readonly micros: number
  readonly perSecond: number
}

type Probe = (subject: Subject) => Promise<Figures>

/** One server that fails is no reason to measure none. */
function leftOut({ name }: Subject): (error: unknown) => Figures {
  return (error) => {
    console.log(`${name} is left out: ${error instanceof Error ? error.message : 'unknown'}`)
    return { micros: NaN, perSecond: NaN }
  }
}

/** All subjects in turn, round by round; the first subject is the yardstick. */
async function inRounds(subjects: readonly Subject[], rounds: number, probe: Probe): Promise<Found[]> {
  const found = subjects.map((subject) => ({
    subject,
    micros: [] as number[],
    perSecond: [] as number[],
    ratio: [] as number[],
  }))
  for (let round = 0; round < rounds; round++) {
    let yardstick: number | undefined
    for (const entry of found) {
      const { micros, perSecond } = await probe(entry.subject).catch(leftOut(entry.subject))
      yardstick ??= micros
      entry.micros.push(micros)
      entry.perSecond.push(perSecond)
      entry.ratio.push(micros / yardstick)
    }
  }
  return found.map(({ subject, micros, perSecond, ratio }) => ({
    subject,
    micros: median(micros),
    perSecond: median(perSecond),
    ratio: median(ratio),
  }))
}
