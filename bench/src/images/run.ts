import { join } from 'node:path'
import { IMAGE_BARS } from '../bars.ts'
import { startChild, type Child } from '../server/child.ts'
import type { Pauses } from '../server/probe.ts'
import { startSizedUpstream } from '../sized-upstream.ts'
import { describeMachine, fixed, formatTable } from '../table.ts'
import { answerOf, CASES, type Case } from './cases.ts'
import { KEY } from './server.ts'

const MEGABYTE = 1_000_000
const IMAGE = 20 * MEGABYTE
/** Large enough for another thread. */
const WARM = 300_000
const WARM_CALLS = 5
const CALLS = 5

/**
 * Each case has a gateway process of its own, warmed with small images, so that the memory of the first large one is seen whole. Memory is
 * resident, read from outside while the call runs, less what the process had before; stalls are those of the calls after it.
 */
export async function printImages(): Promise<void> {
  console.log(await describeMachine())
  const floorMs = measureFloor()
  const rows: string[][] = []
  let isOver = false
  for (const each of CASES) {
    const { times, stallMs, statuses } = await measure(each)
    const { most, stall } = IMAGE_BARS[each.mode]
    const limitMs = 'ms' in stall ? stall.ms : stall.floors * floorMs
    const passes = times < most && stallMs <= limitMs && statuses.every((status) => status === 200)
    isOver ||= !passes
    rows.push([
      `${each.mode}: ${each.name}`,
      fixed(times, 2),
      String(most),
      fixed(stallMs, 0),
      fixed(limitMs, 0),
      [...new Set(statuses)].join(', '),
      passes ? 'PASS' : 'OVER',
    ])
  }
  console.log(`JSON.parse and JSON.stringify of the same body: ${fixed(floorMs, 0)} ms`)
  const heads = ['an image of 20 MB', 'memory × its size', 'below', 'longest stall, ms', 'at most', 'status', '']
  console.log(formatTable('Images', heads, rows))
  if (isOver) process.exitCode = 1
}

/** The median of several runs, after as many to warm up. */
function measureFloor(): number {
  const text = answerOf('genai', imageOf(IMAGE))
  const run = (): number => {
    const begun = performance.now()
    JSON.stringify(JSON.parse(text))
    return performance.now() - begun
  }
  for (let count = 0; count < WARM_CALLS; count++) run()
  const all = Array.from({ length: CALLS }, run).toSorted((left, right) => left - right)
  return all[Math.floor(CALLS / 2)] ?? 0
}

interface Figures {
  readonly times: number
  readonly stallMs: number
  readonly statuses: readonly number[]
}

async function measure(each: Case): Promise<Figures> {
  const upstream = await startSizedUpstream(answerWithImage)
  const child = await startChild({
    script: join(import.meta.dirname, '../main.ts'),
    args: (port) => ['images-server', String(port), String(upstream.port)],
    // Its threads must not compete with its event loop: that would be measured as a stall.
    core: 'any',
    probe: join(import.meta.dirname, '../server/probe.ts'),
  })
  try {
    const statuses: number[] = []
    const call = async (size: number): Promise<void> => {
      upstream.answerSize = each.isAnswer === true ? size : 1000
      statuses.push(await ask(child.port, each, imageOf(each.isAnswer === true ? 1000 : size)))
    }
    for (let count = 0; count < WARM_CALLS; count++) await call(WARM)
    const growth = await growthOf(child, () => call(IMAGE))
    await child.ask()
    for (let count = 0; count < CALLS; count++) await call(IMAGE)
    const { stallMs } = (await child.ask()) as Pauses // the answer of the probe
    return { times: (growth * 1024 * 1024) / IMAGE, stallMs, statuses }
  } finally {
    child.stop()
    upstream.server.close()
  }
}

/** The most memory of a process while something runs, less what it had before, in mebibytes. */
async function growthOf(child: Child, run: () => Promise<void>): Promise<number> {
  const before = child.residentMegabytes()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, child.residentMegabytes())
  }, 1)
  await run().finally(() => clearInterval(timer))
  return most - before
}

async function ask(port: number, each: Case, image: Buffer): Promise<number> {
  const { path, body } = each.request(image)
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, ...type },
    body,
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Bytes that begin like a PNG, and are all different. */
function imageOf(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(Math.imul(at, 2654435761) >>> 0, at)
  bytes.set([137, 80, 78, 71, 13, 10, 26, 10])
  return bytes
}

/** An answer with one image, in the protocol of the path. */
function answerWithImage(path: string, size: number): string {
  return answerOf(path.startsWith('/chat') ? 'chat' : 'genai', imageOf(size))
}
