import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judge, judgeMore, PORTKEY_BAR, SERVER_BARS, type Bar } from '../bars.ts'
import { describeMachine, fixed, formatTable, median } from '../table.ts'
import { pinOurselves, startChild, startRole } from './child.ts'
import { measureCalls, measureTokens, type Timing, type Found } from './probes.ts'
import { startSubjects, type Subject } from './subjects.ts'

const PACE_OF = {
  full: { rounds: 3, callsMs: 32_000, tokensMs: 32_000, settleMs: 500, starts: 3 },
  quick: { rounds: 1, callsMs: 5000, tokensMs: 10_000, settleMs: 250, starts: 1 },
} as const satisfies { readonly [pace: string]: Timing & { readonly starts: number } }

const SMALL = 200
const LARGE = 64 * 1024

export async function printServers(pace: keyof typeof PACE_OF): Promise<void> {
  const timing = PACE_OF[pace]
  console.log(`${describeMachine()}; ${pinOurselves()}`)
  const starts = await measureStarts(timing.starts)
  const upstream = await startRole('upstream', 'shared')
  const subjects = await startSubjects(upstream.port)
  try {
    const small = await measureCalls(subjects, SMALL, timing)
    printCalls('Answers of 1.2 KB', small, { relay: SERVER_BARS.relayRequest, translate: SERVER_BARS.translateRequest })
    printRates(small)
    const large = await measureCalls(subjects, LARGE, timing)
    printCalls('The same with request bodies of 64 KB', large, { relay: SERVER_BARS.relayLarge })
    const tokens = await measureTokens(subjects, timing)
    printTokens(tokens)
    printStarts(starts)
  } finally {
    for (const { child } of subjects) child.stop()
    upstream.stop()
  }
}

type BarsOf = { readonly [Kind in Subject['kind']]?: Bar }

function printCalls(title: string, found: readonly Found[], bars: BarsOf): void {
  const rows = found.map(({ subject, perSecond, micros, ratio }) => [
    subject.name,
    fixed(perSecond, 0),
    fixed(micros, 0),
    ...barCells(ratio, bars[subject.kind]),
  ])
  console.log(formatTable(title, ['', 'requests/s', 'CPU µs', '× yardstick', 'must', 'aim', ''], rows))
}

function printTokens(found: readonly Found[]): void {
  const bars: BarsOf = { relay: SERVER_BARS.relayToken, translate: SERVER_BARS.translateToken }
  const rows = found.map(({ subject, perSecond, micros, ratio }) => [
    subject.name,
    fixed(perSecond, 0),
    fixed(micros, 1),
    ...barCells(ratio, bars[subject.kind]),
  ])
  const head = ['', 'tokens/s', 'CPU µs', '× yardstick', 'must', 'aim', '']
  console.log(formatTable('Streams of 50 tokens a second, one token per segment', head, rows))
}

function printRates(found: readonly Found[]): void {
  const rate = (match: (subject: Subject) => boolean) =>
    median(found.filter(({ subject }) => match(subject)).map(({ perSecond }) => perSecond))
  const pairs = [
    { what: 'chat → chat', ours: 'dragoman chat → chat', theirs: 'Portkey chat → chat' },
    { what: 'chat → messages', ours: 'dragoman chat → messages', theirs: 'Portkey chat → messages' },
  ]
  const rows = pairs.flatMap(({ what, ours, theirs }) => {
    const ratio = rate(({ name }) => name === ours) / rate(({ name }) => name === theirs)
    return Number.isFinite(ratio)
      ? [[what, fixed(ratio, 2), fixed(PORTKEY_BAR.must, 2), fixed(PORTKEY_BAR.aim, 2), judgeMore(ratio, PORTKEY_BAR)]]
      : []
  })
  if (rows.length > 0) console.log(formatTable('Requests/s × Portkey', ['', 'ratio', 'must', 'aim', ''], rows))
}

function barCells(ratio: number, bar: Bar | undefined): string[] {
  return [fixed(ratio, 2), fixed(bar?.must, 2), fixed(bar?.aim, 2), judge(ratio, bar)]
}

interface Starts {
  readonly startMs: number
  readonly idleMegabytes: number
}

/** The real server, started anew each time; the first start fills its compile cache and does not count. */
async function measureStarts(count: number): Promise<Starts> {
  const script = join(import.meta.dirname, '../../../apps/server/src/main.ts')
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'))
  const env = { DRAGOMAN_DATA: folder, DRAGOMAN_KEYS: 'bench-caller-key' }
  const times: number[] = []
  const sizes: number[] = []
  for (let i = 0; i <= count; i++) {
    const child = await startChild({ script, env, core: 'own' })
    times.push(child.startMs)
    sizes.push(child.residentMegabytes())
    child.stop()
  }
  rmSync(folder, { recursive: true, force: true })
  return { startMs: median(times.slice(1)), idleMegabytes: median(sizes.slice(1)) }
}

function printStarts({ startMs, idleMegabytes }: Starts): void {
  const row = (what: string, value: number, bar: Bar) => [
    what,
    fixed(value, 0),
    `${bar.must}`,
    `${bar.aim}`,
    judge(value, bar),
  ]
  const rows = [
    row('cold start, ms to the first 200', startMs, SERVER_BARS.coldStartMs),
    row('idle memory, MB resident', idleMegabytes, SERVER_BARS.idleMegabytes),
  ]
  console.log(formatTable('apps/server', ['', '', 'must', 'aim', ''], rows))
}
