import { setTimeout as sleep } from 'node:timers/promises'
import { directShots, RELAYED, shotsOf, TRANSLATED, type Pair, type Stage } from './stage.ts'
import { holdStreams, neverRead, type Held } from './streams.ts'
import type { UpstreamStats } from './upstream.ts'

export interface SoakPlan {
  readonly streams: number
  readonly warmUpMs: number
  readonly sampleMs: number
  readonly samples: number
  readonly baselineMs: number
}

/** The state of the server at the end of an interval, and the delays of its tokens. */
export interface Sample {
  readonly second: number
  readonly tokensPerSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU use of one core. */
  readonly cpuPercent: number
  readonly residentMegabytes: number
  readonly heapMegabytes: number
}

export interface Soaked {
  readonly samples: readonly Sample[]
  /** The delays of the upstream itself, without a server in between. */
  readonly direct: Delays
  readonly through: Delays
  readonly completed: number
  readonly left: number
  readonly problems: readonly string[]
  /** Streams that the upstream still had open after all clients had left. */
  readonly openAfter: number
}

export interface Delays {
  readonly p50: number
  readonly p99: number
}

/** Half of the streams are relayed, half translated, for the time of the plan. */
export async function soak(stage: Stage, plan: SoakPlan): Promise<Soaked> {
  const { streams, warmUpMs, sampleMs, samples: count, baselineMs } = plan
  const half = Math.ceil(streams / 2)
  const direct = await delaysOf(
    await holdStreams(directShots(stage, RELAYED, 'pace-10', streams), SPREAD_MS),
    baselineMs,
  )
  const shots = [...shotsOf(stage, RELAYED, 'pace-10', half), ...shotsOf(stage, TRANSLATED, 'pace-10', streams - half)]
  const held = await holdStreams(shots, SPREAD_MS)
  await sleep(warmUpMs)
  const { problems: early } = held.take()
  const samples: Sample[] = []
  const delays: number[] = []
  let completed = 0
  let left = 0
  const problems = [...early]
  const start = performance.now()
  for (let i = 0; i < count; i++) {
    const before = { time: performance.now(), cpu: stage.server.cpuMicros() }
    await sleep(sampleMs)
    const seconds = (performance.now() - before.time) / 1000
    const taken = held.take()
    const cpuPercent = (stage.server.cpuMicros() - before.cpu) / seconds / 10_000
    delays.push(...taken.delays)
    completed += taken.completed
    left += taken.left
    problems.push(...taken.problems)
    samples.push({
      second: Math.round((performance.now() - start) / 1000),
      tokensPerSecond: taken.delays.length / seconds,
      ...percentiles(taken.delays),
      cpuPercent,
      residentMegabytes: stage.server.residentMegabytes(),
      heapMegabytes: await heapMegabytes(stage),
    })
  }
  held.stop()
  const openAfter = await openAt(stage)
  return { samples, direct, through: percentiles(delays), completed, left, problems, openAfter }
}

const SPREAD_MS = 2000

/** The delay of tokens at 50 a second, direct and translated by the server. */
export async function measureHeld(stage: Stage, streams: number, milliseconds: number) {
  const pairs: readonly Pair[] = TRANSLATED
  const direct = await delaysOf(await holdStreams(directShots(stage, pairs, 'pace-50', streams), 500), milliseconds)
  const through = await delaysOf(await holdStreams(shotsOf(stage, pairs, 'pace-50', streams), 500), milliseconds)
  return { direct, through }
}

async function delaysOf(held: Held, milliseconds: number): Promise<Delays & { readonly tokensPerSecond: number }> {
  await sleep(Math.min(1000, milliseconds))
  held.take()
  const start = performance.now()
  await sleep(milliseconds)
  const { delays, problems } = held.take()
  const tokensPerSecond = (delays.length * 1000) / (performance.now() - start)
  held.stop()
  if (problems[0] !== undefined) throw new Error(`A stream failed: ${problems[0]}`)
  return { ...percentiles(delays), tokensPerSecond }
}

export interface Slowed {
  readonly clients: number
  /** The bytes that each upstream could send until it had to wait. They are in the buffers of the kernel. */
  readonly sentMegabytes: number
  /** The bytes that it could send afterwards, with all clients still connected. */
  readonly sentLaterMegabytes: number
  /** The heap before the clients came, when the upstream had to wait, and some time after that. */
  readonly heap: readonly [before: number, blocked: number, later: number]
  readonly resident: readonly [before: number, blocked: number, later: number]
  readonly openAfter: number
}

/** Clients that send a request and never read: how much the upstream could send, and how much of it the server holds. */
export async function slowDown(stage: Stage, clients: number, holdMs: number): Promise<Slowed> {
  const { server } = stage
  const look = async () => ({ heap: await heapMegabytes(stage), resident: server.residentMegabytes() })
  const before = await look()
  const floodedBefore = (await statsOf(stage)).flooded
  const half = Math.ceil(clients / 2)
  const slow = neverRead([
    ...shotsOf(stage, RELAYED, 'flood', half),
    ...shotsOf(stage, TRANSLATED, 'flood', clients - half),
  ])
  const quiet = await untilQuiet(stage)
  const blocked = await look()
  await sleep(holdMs)
  const floodedLater = (await statsOf(stage)).flooded
  const later = await look()
  slow.stop()
  const megabytes = (bytes: number): number => bytes / 1024 / 1024
  return {
    clients,
    sentMegabytes: megabytes(quiet - floodedBefore),
    sentLaterMegabytes: megabytes(floodedLater - quiet),
    heap: [before.heap, blocked.heap, later.heap],
    resident: [before.resident, blocked.resident, later.resident],
    openAfter: await openAt(stage),
  }
}

const QUIET_MS = 1000
const PATIENCE_MS = 30_000

/** The bytes that were sent when a second passed without another byte, or at the time limit. */
async function untilQuiet(stage: Stage): Promise<number> {
  let sent = -1
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(QUIET_MS)) {
    const { flooded } = await statsOf(stage)
    if (flooded > 0 && flooded === sent) break
    sent = flooded
  }
  return sent
}

/** Streams that the upstream has open some time after their clients have left. */
async function openAt(stage: Stage): Promise<number> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(100)) {
    const { open } = await statsOf(stage)
    if (open === 0) return 0
  }
  return (await statsOf(stage)).open
}

async function statsOf({ upstream }: Stage): Promise<UpstreamStats> {
  const answer = await fetch(`http://127.0.0.1:${upstream.port}/stats`)
  return (await answer.json()) as UpstreamStats
}

/** The heap after a full collection, from the probe that the server was started with. */
async function heapMegabytes({ server }: Stage): Promise<number> {
  const bytes = (await server.ask()) as number
  return bytes / 1024 / 1024
}

function percentiles(values: readonly number[]): Delays {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** The slope of the regression line through a figure, per minute. */
export function risePerMinute(points: readonly { readonly second: number; readonly value: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(points.map(({ second }) => second))
  const y = mean(points.map(({ value }) => value))
  const rise = points.reduce((sum, { second, value }) => sum + (second - x) * (value - y), 0)
  const run = points.reduce((sum, { second }) => sum + (second - x) ** 2, 0)
  return (rise / run) * 60
}
