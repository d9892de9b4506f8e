import { markdownTable } from '../markdown-table.ts'
import type { Converter } from './converter.ts'
import { loadConverters } from './converters.ts'
import { CORPUS } from './corpus.ts'
import { judge, SECTIONS, type Check, type Verdict } from './judge.ts'

/** Prints the scores of every converter, as docs/fidelity.md has them. With `--show <name>`, lists what that one does not keep. */
export async function printFidelity(options: readonly string[]): Promise<void> {
  const shown = options.includes('--show') ? options[options.indexOf('--show') + 1] : undefined
  const converters = await loadConverters()
  const chosen = shown === undefined ? converters : converters.filter(({ name }) => name === shown)
  if (chosen.length === 0) {
    console.error(`no converter ${shown ?? ''}: there are ${converters.map(({ name }) => name).join(', ')}`)
    process.exitCode = 1
    return
  }
  const scored: Scored[] = []
  for (const converter of chosen) scored.push({ converter, checks: await quietly(() => judge(converter, CORPUS)) })
  if (shown !== undefined) for (const { checks } of scored) list(checks)
  console.log(markdownTable(HEAD, scored.flatMap(rowsOf)))
  if (shown === undefined) console.log(`\nBy area, \`kept %\`:\n\n${markdownTable(...areas(scored))}`)
  // The servers of other converters must not keep the process alive.
  process.exit(process.exitCode)
}

interface Scored {
  readonly converter: Converter
  readonly checks: readonly Check[]
}

const HEAD = ['converter', 'section', 'checks', 'kept %', 'kept', 'reported', 'silent', 'wrong', 'crashed']
const VERDICTS: readonly Verdict[] = ['kept', 'reported', 'silent', 'wrong', 'crashed']

function rowsOf({ converter, checks }: Scored): string[][] {
  const row = (name: string, section: string, some: readonly Check[]) => [
    name,
    section,
    String(some.length),
    share(some),
    ...VERDICTS.map((verdict) => String(some.filter((check) => check.verdict === verdict).length)),
  ]
  const sections = SECTIONS.flatMap((section) => {
    const some = checks.filter((check) => check.section === section)
    return some.length === 0 ? [] : [row('', section, some)]
  })
  return [row(converter.name, `all: ${converter.scope}`, checks), ...sections]
}

function areas(scored: readonly Scored[]): [head: string[], rows: string[][]] {
  const names = [...new Set(CORPUS.map(({ area }) => area))]
  const rows = names.map((area) => [
    area,
    ...scored.map(({ checks }) => share(checks.filter((check) => check.area === area))),
  ])
  return [['area', ...scored.map(({ converter }) => converter.name)], rows]
}

/** The share of the facts that the target can express. */
function share(checks: readonly Check[]): string {
  const expressible = checks.filter((check) => check.expressible)
  const kept = expressible.filter((check) => check.verdict === 'kept').length
  return expressible.length === 0 ? '–' : ((100 * kept) / expressible.length).toFixed(1)
}

function list(checks: readonly Check[]): void {
  for (const { verdict, section, area, from, via, to, name, fact, error } of checks) {
    if (verdict === 'kept') continue
    const pair = [from, ...(via === undefined ? [] : [via]), to].join(' → ')
    console.log(
      `${verdict.padEnd(8)}  ${section}, ${area}: ${pair}: ${name}: ${fact}${error === undefined ? '' : ` (${error})`}`,
    )
  }
}

/** Some converters write to the console. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { log, warn, error } = console
  Object.assign(console, { log: silence, warn: silence, error: silence })
  try {
    return await work()
  } finally {
    Object.assign(console, { log, warn, error })
  }
}

function silence(): void {}
