import type { Driver } from './driver.ts'
import { listCandidates, type Candidate, type Subject } from './subjects.ts'

/** Resident megabytes of servers that hold many streams. */
export interface StreamMemory {
  /** Of the real server: the larger figure of a relayed and a translated pair. */
  readonly ours: number
  /** Of `node:http` + undici dispatch with as many streams. */
  readonly dispatch: number
}

export interface StreamMemoryPlan {
  readonly streams: number
  /** Time until memory is read for the first time. */
  readonly leadMs: number
  readonly windowMs: number
}

const PLAN = { streams: 1000, leadMs: 10_000, windowMs: 10_000 }
const SAMPLE_MS = 100

/** What all servers take, with their starts, on a busy machine. */
export const STREAM_MEMORY_MS = 90_000

const OURS = ['dragoman chat → chat', 'dragoman chat → messages']
const DISPATCH = 'node:http + undici dispatch'

/** One new process after the other: what a process has done before is part of its memory. Undefined without streams of the driver. */
export async function measureStreamMemory(
  driver: Driver,
  plan: StreamMemoryPlan = PLAN,
): Promise<StreamMemory | undefined> {
  const { streams } = driver
  if (streams === undefined) return undefined
  const candidates = listCandidates()
  const megabytesOf = async (name: string): Promise<number> =>
    megabytesWith(plan, streams, await startOf(candidates, name, driver))
  const sizes: number[] = []
  for (const name of OURS) sizes.push(await megabytesOf(name))
  return { ours: Math.max(...sizes), dispatch: await megabytesOf(DISPATCH) }
}

function startOf(candidates: readonly Candidate[], name: string, { upstreamPort }: Driver): Promise<Subject> {
  const candidate = candidates.find((each) => each.name === name)
  if (candidate === undefined) throw new Error(`No server ${name}.`)
  return candidate.start(upstreamPort)
}

/** The largest size in the window. Nothing is collected before it is read, because no operator does that. */
async function megabytesWith(
  { streams: connections, leadMs, windowMs }: StreamMemoryPlan,
  streams: NonNullable<Driver['streams']>,
  { child, shot }: Subject,
): Promise<number> {
  let most = 0
  let timer: NodeJS.Timeout | undefined
  const onBegin = (): void => {
    timer = setInterval(() => (most = Math.max(most, child.residentMegabytes())), SAMPLE_MS)
  }
  try {
    await streams({ shot: shot(200, true), connections, leadMs, windowMs, pid: child.pid, onBegin })
    return most
  } finally {
    clearInterval(timer)
    await child.end()
  }
}
