import { SERVER_BARS, type Bar } from '../bars.ts'
import { fixed, markdownTable } from '../table.ts'
import { describeUncertainty } from '../uncertainty.ts'
import type { Found } from './rounds.ts'
import { voidOf } from './rules.ts'
import type { LoadName } from './plan.ts'
import type { Starts } from './starts.ts'
import type { StreamMemory } from './stream-memory.ts'
import type { Kind, Subject } from './subjects.ts'
import type { Workload } from './window.ts'

/** The results of one load. */
export interface Measured {
  readonly workload: Workload
  readonly found: readonly Found<Subject>[]
}

/** The results of a run. A load that did not fit into the time is absent. */
export type MeasuredLoads = { readonly [name in LoadName]?: Measured | undefined }

/** The rows for docs/performance.md: the lowest and highest of all pairs, and the name of the highest. */
export function summarize(
  { small, large, tokens }: MeasuredLoads,
  starts: Starts,
  memory: StreamMemory | undefined,
): string {
  const rows = [
    row('relay, CPU per request', SERVER_BARS.relayRequest, spanOf(small, 'relay')),
    row('translate, CPU per request', SERVER_BARS.translateRequest, spanOf(small, 'translate')),
    row('64 KB body, relay', SERVER_BARS.relayLarge, spanOf(large, 'relay')),
    row('64 KB body, translate', SERVER_BARS.translateLarge, spanOf(large, 'translate')),
    row('CPU per token, relay', SERVER_BARS.relayToken, spanOf(tokens, 'relay')),
    row('CPU per token, translate', SERVER_BARS.translateToken, spanOf(tokens, 'translate')),
    row('requests × Portkey, relay (chat → chat)', SERVER_BARS.portkeyRelay, timesPortkey(small, 'chat → chat')),
    row(
      'requests × Portkey, translate (chat → messages)',
      SERVER_BARS.portkeyTranslate,
      timesPortkey(small, 'chat → messages'),
    ),
    row('cold start, ms to the first 200', SERVER_BARS.coldStartMs, fixed(starts.startMs, 0)),
    row('idle memory, MB resident', SERVER_BARS.idleMegabytes, fixed(starts.idleMegabytes, 0)),
    row('memory with 1,000 streams, MB resident', SERVER_BARS.streamsMegabytes, megabytes(memory?.ours)),
    row(
      'for scale: undici dispatch, CPU per request / 64 KB / token',
      undefined,
      allOf('comparison', small, large, tokens),
    ),
    row('for scale: undici dispatch with 1,000 streams, MB resident', undefined, megabytes(memory?.dispatch)),
    row('for scale: Portkey, CPU per request / 64 KB / token', undefined, allOf('portkey', small, large, tokens)),
  ]
  return markdownTable(['', 'must', 'aim', 'now'], rows)
}

function megabytes(value: number | undefined): string {
  return value === undefined ? 'not measured' : fixed(value, 0)
}

function row(what: string, bar: Bar | undefined, now: string): (string | number | undefined)[] {
  return [what, bar?.must, bar?.aim, now]
}

/** `1.43 to 1.61 (chat → genai), ±5 %`, with the worst pair, the largest uncertainty, and the number of void rows. These are left out, unless there are no others. */
function spanOf(measured: Measured | undefined, kind: Kind): string {
  if (measured === undefined) return 'not measured'
  const { workload, found } = measured
  const own = found.filter(({ subject }) => subject.kind === kind)
  if (own.length === 0) return '–'
  const valid = own.filter(({ middle }) => voidOf(workload, middle) === undefined)
  const counted = (valid.length === 0 ? own : valid).toSorted((left, right) => left.ratio.value - right.ratio.value)
  const [least, most] = [counted.at(0), counted.at(-1)].map((each) => fixed(each?.ratio.value, 2))
  const sure = describeUncertainty(Math.max(...counted.map(({ ratio }) => ratio.uncertainty)))
  const note = valid.length === own.length ? '' : ` (${own.length - valid.length} of ${own.length} void)`
  return `${least === most ? least : `${least} to ${most}`}${pairOf(counted.at(-1)?.subject)}, ${sure}${note}`
}

/** ` (chat → genai)` for a server of ours. */
function pairOf(subject: Pick<Subject, 'name'> | undefined): string {
  const [, pair] = /^dragoman (.*)$/.exec(subject?.name ?? '') ?? []
  return pair === undefined ? '' : ` (${pair})`
}

function allOf(kind: Kind, ...measured: readonly (Measured | undefined)[]): string {
  return measured.map((each) => spanOf(each, kind)).join(' / ')
}

/** The ratio of CPU time per request, which limits the requests per core. */
function timesPortkey(measured: Measured | undefined, pair: string): string {
  const micros = (name: string): number =>
    measured?.found.find(({ subject }) => subject.name === name)?.middle.micros ?? NaN
  return fixed(micros(`Portkey ${pair}`) / micros(`dragoman ${pair}`), 1)
}
