import { csvOf, showUsage, usageQuery } from '@dragoman/accounts/admin'
import type { UsageRow } from '@dragoman/accounts'
import { chartOf } from './chart.ts'
import { CommandError, type Command } from './command.ts'
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

/** `usage`: what was used and what it cost. */
export const usage: Command = {
  usage: `--by day,model (hour, day, key, owner, model, provider) --from 2026-11-01 --to 2026-12-01
    --key ID --owner OWNER --model ID --provider NAME --format ${FORMATS.join('|')}`,
  about: 'calls, tokens and cost: of the last 30 days by day, if nothing else is said',
  async run(args, context) {
    const { values } = readArguments(args, OPTIONS)
    const { format = 'table', ...asked } = values
    if (!FORMATS.includes(format)) throw new CommandError(`--format ${format} is none of ${FORMATS.join(', ')}.`)
    const query = usageQuery(new URLSearchParams(definedTexts(asked)), context.now())
    const rows = await (await context.store()).usage(query)
    const shown = rows.map(showUsage)
    if (format === 'json') return context.write(`${JSON.stringify(shown, null, 2)}\n`)
    if (format === 'csv') return context.write(csvOf(shown))
    if (rows.length === 0) return context.write('Nothing was used in this time.\n')
    context.write(format === 'chart' ? chart(rows, context.columns) : table(rows))
  },
}

function table(rows: readonly UsageRow[]): string {
  const names = Object.keys(rows[0]?.dimensions ?? {})
  const head = [...names, 'calls', 'failed', 'input', 'cached', 'output', 'reasoning', 'cost']
  const sum = (of: (row: UsageRow) => bigint): bigint => rows.reduce((all, row) => all + of(row), 0n)
  const total = {
    calls: rows.reduce((all, { calls }) => all + calls, 0),
    failed: rows.reduce((all, { failed }) => all + failed, 0),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      cacheRead: sum(({ tokens }) => tokens.cacheRead),
      output: sum(({ tokens }) => tokens.output),
      reasoning: sum(({ tokens }) => tokens.reasoning),
    },
    cost: sum(({ cost }) => cost),
  }
  const cells = ({ calls, failed, tokens, cost }: typeof total): readonly string[] => [
    String(calls),
    String(failed),
    String(tokens.input),
    String(tokens.cacheRead),
    String(tokens.output),
    String(tokens.reasoning),
    dollars(cost),
  ]
  const lines = rows.map((row) => [...labelsOf(row), ...cells(row)])
  const last = names.length === 0 ? [] : [[...names.map((_, at) => (at === 0 ? 'total' : '')), ...cells(total)]]
  return tableOf([head, ...lines, ...last])
}

function chart(rows: readonly UsageRow[], columns = DEFAULT_COLUMNS): string {
  const bars = rows.map((row) => {
    return { label: labelsOf(row).join(' '), value: Number(row.cost), text: dollars(row.cost) }
  })
  return chartOf(bars, columns)
}

/** Hours and days as people write them. */
function labelsOf({ dimensions }: UsageRow): readonly string[] {
  return Object.entries(dimensions).map(([name, text]) => {
    if (name === 'day') return new Date(Number(text)).toISOString().slice(0, 10)
    if (name === 'hour') return `${new Date(Number(text)).toISOString().slice(0, 13)}h`
    return text === '' ? '-' : text
  })
}

/** Rounded to what people read; JSON and CSV are exact. */
function dollars(nanos: bigint): string {
  return `$${(Number(nanos) / NANOS).toFixed(4)}`
}

function definedTexts(values: { readonly [name: string]: string | undefined }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
