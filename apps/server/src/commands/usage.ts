import { DIMENSIONS, type Dimension } from '@dragoman/accounts'
import { csvLinesOf, csvOf } from '@dragoman/accounts/admin'
import { nanosOf } from '@dragoman/accounts/dollars'
import { chartOf } from './chart.ts'
import { CommandError, type Command, type CommandContext } from './command.ts'
import { readArguments } from './key-options.ts'
import { tableOf } from './table.ts'

const OPTIONS = {
  by: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  key: { type: 'string' },
  owner: { type: 'string' },
  model: { type: 'string' },
  provider: { type: 'string' },
  format: { type: 'string' },
} as const
const FORMATS = ['table', 'chart', 'csv', 'json']
const NANOS = 1e9
const DEFAULT_COLUMNS = 100
/** Tables and charts are for people, and are made as a whole. */
const MOST_SHOWN = 10_000

/** `usage`: what was used and what it cost. */
export const usage: Command = {
  usage: `--by day,model (hour, day, key, owner, model, provider) --from 2026-11-01 --to 2026-12-01
    --key ID --owner OWNER --model ID --provider NAME --format ${FORMATS.join('|')}`,
  about: 'calls, tokens and cost: by default of the last 30 days, by day',
  async run(args, context) {
    const { values } = readArguments(args, OPTIONS)
    const { format = 'table', ...asked } = values
    if (!FORMATS.includes(format)) throw new CommandError(`--format ${format} is not one of ${FORMATS.join(', ')}.`)
    const pages = pagesOf(context, definedTexts(asked))
    if (format === 'json') return writeJson(pages, context)
    if (format === 'csv') return writeCsv(pages, context)
    const rows: UsageRow[] = []
    let names: readonly Dimension[] = []
    for await (const page of pages) {
      rows.push(...page.rows)
      names = DIMENSIONS.filter((name) => page.by.includes(name))
      if (rows.length > MOST_SHOWN)
        throw new CommandError(`This has more than ${MOST_SHOWN} rows: use --format csv or json, or sum by less.`)
    }
    if (rows.length === 0) return context.write('Nothing was used in this time.\n')
    context.write(format === 'chart' ? chart(rows, names, context.columns) : table(rows, names))
  },
}

/** A part of the report. */
interface Page {
  readonly from: string
  readonly to: string
  readonly by: readonly string[]
  readonly rows: readonly UsageRow[]
  readonly next?: string | null
}

type Asked = { readonly [name: string]: string }

/** All pages of one time: the end of the first one stays, although the clock goes on. */
async function* pagesOf({ admin }: CommandContext, asked: Asked): AsyncGenerator<Page> {
  for (let given = asked; ;) {
    const page = (await admin('GET', `/usage?${new URLSearchParams(given)}`)) as Page // of the API
    yield page
    // A gateway of an earlier version answers with everything, and no `next`.
    if (page.next === null || page.next === undefined) return
    given = { ...asked, from: page.from, to: page.to, after: page.next }
  }
}

async function writeJson(pages: AsyncIterable<Page>, { write }: CommandContext): Promise<void> {
  let count = 0
  for await (const { rows } of pages) {
    for (const row of rows) write(`${count++ === 0 ? '[\n' : ',\n'}  ${JSON.stringify(row)}`)
  }
  write(count === 0 ? '[]\n' : '\n]\n')
}

async function writeCsv(pages: AsyncIterable<Page>, { write }: CommandContext): Promise<void> {
  let isFirst = true
  for await (const { rows } of pages) {
    write(isFirst ? csvOf(rows) : csvLinesOf(rows))
    isFirst = false
  }
}

/** Sums above what a number is exact for are text. */
type UsageRow = { readonly [Name in Dimension | 'cost']: string } & { readonly [Name in Sum]: number | string }

const SUMS = ['calls', 'failed', 'inputTokens', 'cacheReadTokens', 'outputTokens', 'reasoningTokens'] as const
type Sum = (typeof SUMS)[number]

function table(rows: readonly UsageRow[], names: readonly Dimension[]): string {
  const head = [...names, 'calls', 'failed', 'input', 'cached', 'output', 'reasoning', 'cost']
  const total = (of: (row: UsageRow) => bigint): bigint => rows.reduce((all, row) => all + of(row), 0n)
  const lines = rows.map((row) => [
    ...labelsOf(row, names),
    ...SUMS.map((name) => String(row[name])),
    dollars(costOf(row)),
  ])
  const sums = [...SUMS.map((name) => String(total((row) => BigInt(row[name])))), dollars(total(costOf))]
  const last = names.length === 0 ? [] : [[...names.map((_, at) => (at === 0 ? 'total' : '')), ...sums]]
  return tableOf([head, ...lines, ...last])
}

function chart(rows: readonly UsageRow[], names: readonly Dimension[], columns = DEFAULT_COLUMNS): string {
  const bars = rows.map((row) => {
    return { label: labelsOf(row, names).join(' '), value: Number(row.cost), text: dollars(costOf(row)) }
  })
  return chartOf(bars, columns)
}

function costOf({ cost }: UsageRow): bigint {
  const nanos = nanosOf(cost)
  if (nanos === undefined)
    throw new CommandError(`The server answered with the cost ${cost}, which is not an amount in dollars.`)
  return nanos
}

/** Hours and days as people write them. */
function labelsOf(row: UsageRow, names: readonly Dimension[]): readonly string[] {
  return names.map((name) => (name === 'hour' ? `${row.hour.slice(0, 13)}h` : row[name] || '-'))
}

/** Rounded to what people read; JSON and CSV are exact. */
function dollars(nanos: bigint): string {
  return `$${(Number(nanos) / NANOS).toFixed(4)}`
}

function definedTexts(values: { readonly [name: string]: string | undefined }): Asked {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
