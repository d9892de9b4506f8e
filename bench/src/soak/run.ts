import { SOAK_BARS, STREAMS_BAR } from '../bars.ts'
import { pinOurselves } from '../server/machine.ts'
import { describeMachine, fixed, formatTable } from '../table.ts'
import { startStage, type Stage } from './stage.ts'
import {
  measureHeld,
  risePerMinute,
  slowDown,
  soak,
  type Sample,
  type Slowed,
  type Soaked,
  type SoakPlan,
} from './measure.ts'

interface Plan extends SoakPlan {
  readonly slowClients: number
  readonly holdMs: number
  readonly heldMs: number
}

const PLAN_OF = {
  full: {
    streams: 1000,
    baselineMs: 10_000,
    warmUpMs: 30_000,
    sampleMs: 5000,
    samples: 12,
    slowClients: 100,
    holdMs: 10_000,
    heldMs: 10_000,
  },
  quick: {
    streams: 200,
    baselineMs: 2000,
    warmUpMs: 5000,
    sampleMs: 2000,
    samples: 5,
    slowClients: 20,
    holdMs: 2000,
    heldMs: 3000,
  },
} as const satisfies { readonly [pace: string]: Plan }

export async function printSoak(pace: keyof typeof PLAN_OF): Promise<void> {
  const plan = PLAN_OF[pace]
  console.log(`${await describeMachine()}; ${pinOurselves()}`)
  const stage = await startStage()
  try {
    await printHeld(stage, plan)
    printSamples(await soak(stage, plan), plan)
    printSlowed(await slowDown(stage, plan.slowClients, plan.holdMs))
  } finally {
    stage.stop()
  }
}

async function printHeld(stage: Stage, { heldMs }: Plan): Promise<void> {
  const { must, aim, addedP99Ms } = STREAMS_BAR
  const rows: string[][] = []
  await measureHeld(stage, must, heldMs) // a server that has just started is not compiled yet
  for (const streams of [must, aim]) {
    const { direct, through } = await measureHeld(stage, streams, heldMs)
    const added = through.p99 - direct.p99
    const share = through.tokensPerSecond / direct.tokensPerSecond
    const verdict = added <= addedP99Ms && share > 0.97 ? 'PASS' : 'OVER'
    const cells = [fixed(direct.p99, 1), fixed(through.p50 - direct.p50, 1), fixed(added, 1), String(addedP99Ms)]
    rows.push([String(streams), fixed(share * 100, 0), ...cells, verdict])
  }
  const head = ['streams', '% of tokens', 'direct p99 ms', 'added p50 ms', 'added p99 ms', 'must', '']
  console.log(formatTable(`Streams of 50 tokens a second, translated (must ${must}, aim ${aim})`, head, rows))
}

function printSamples({ samples, direct, through, completed, left, problems, openAfter }: Soaked, plan: Plan): void {
  const rows = samples.map((sample) => [
    String(sample.second),
    fixed(sample.tokensPerSecond, 0),
    fixed(sample.p50, 1),
    fixed(sample.p99, 1),
    fixed(sample.cpuPercent, 0),
    fixed(sample.residentMegabytes, 0),
    fixed(sample.heapMegabytes, 1),
  ])
  const head = ['s', 'tokens/s', 'p50 ms', 'p99 ms', 'CPU %', 'RSS MB', 'heap MB']
  const title = `${plan.streams} streams of 10 tokens a second, half relayed, half translated, after ${plan.warmUpMs / 1000} s`
  console.log(formatTable(title, head, rows))
  const heap = growthOf(samples, ({ heapMegabytes }) => heapMegabytes)
  const resident = growthOf(samples, ({ residentMegabytes }) => residentMegabytes)
  const flat = heap.percent <= SOAK_BARS.growthPercent ? 'memory is FLAT' : 'memory GROWS'
  console.log(`${flat}: heap after collection ${describeGrowth(heap)}; resident ${describeGrowth(resident)}`)
  const added = `p50 ${fixed(through.p50 - direct.p50, 1)} ms, p99 ${fixed(through.p99 - direct.p99, 1)} ms`
  console.log(`added to the upstream's own pace (p99 ${fixed(direct.p99, 1)} ms): ${added}`)
  console.log(
    `${completed} streams completed, ${left} left by their clients, ${problems.length} errors, ${openAfter} open afterwards`,
  )
  for (const problem of new Set(problems.slice(0, 5))) console.log(`  ${problem}`)
}

interface Growth {
  readonly perMinute: number
  /** Relative to the mean, per minute. */
  readonly percent: number
}

function growthOf(samples: readonly Sample[], read: (sample: Sample) => number): Growth {
  const points = samples.map((sample) => ({ second: sample.second, value: read(sample) }))
  const perMinute = risePerMinute(points)
  const mean = points.reduce((sum, { value }) => sum + value, 0) / points.length
  return { perMinute, percent: (perMinute / mean) * 100 }
}

function describeGrowth({ perMinute, percent }: Growth): string {
  const sign = perMinute < 0 ? '' : '+'
  return `${sign}${fixed(perMinute, 1)} MB (${sign}${fixed(percent, 1)} %) a minute`
}

function printSlowed({ clients, sentMegabytes, sentLaterMegabytes, heap, resident, openAfter }: Slowed): void {
  const rows = [
    ['heap after collection, MB', ...heap.map((value) => fixed(value, 1))],
    ['resident, MB', ...resident.map((value) => fixed(value, 0))],
  ]
  console.log(formatTable(`${clients} clients that do not read`, ['', 'before', 'blocked', 'later'], rows))
  const stops = sentLaterMegabytes === 0 ? 'the upstream STOPS' : 'the upstream GOES ON'
  const sent = `${fixed(sentMegabytes / clients, 1)} MB each, most of it in the buffers of the kernel`
  console.log(`${stops}: it sent ${sent}, then ${fixed(sentLaterMegabytes, 1)} MB`)
  const [before, blocked, later] = heap
  const isBounded = later <= blocked * (1 + SOAK_BARS.growthPercent / 100)
  const each = fixed((later - before) / clients, 1)
  console.log(
    `the server is ${isBounded ? 'BOUNDED' : 'NOT BOUNDED'}: ${each} MB of heap each; ${openAfter} open afterwards`,
  )
}
