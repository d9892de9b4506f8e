import { readSource, sourceFiles } from '../sources.ts'
import { coverageOf } from './coverage.ts'
import type { Row } from './coverage.ts'
import rows from './rows.json' with { type: 'json' }
import { mentionsIn } from './titles.ts'
import type { Mention } from './titles.ts'

const TESTS = [
  '{packages,apps}/*/{src,test}/**/*.test.ts',
  '{bench,verify}/**/*.test.ts',
  'packages/testkit/src/**/*.ts',
]

const known = new Set(rows.map(({ id }) => id.slice(0, id.indexOf('.'))))
const mentions = sourceFiles(...TESTS).flatMap((file) => mentionsIn(file, readSource(file), known))
const { open, proven, total, unknown, sideless } = coverageOf(rows, mentions)

if (!process.argv.includes('--check')) {
  for (const [section, entries] of Map.groupBy(open, ({ row }) => row.section)) {
    console.log(`\n${section}`)
    for (const { row, sides } of entries) console.log(`  ${describe(row, sides)}`)
  }
  console.log('')
}
for (const mention of sideless)
  console.log(`${location(mention)} names [${mention.id}] without :in or :through, so it covers neither`)
for (const mention of unknown)
  console.error(`${location(mention)} names ${label(mention)}, which is not in the specification`)
console.log(`${proven} of ${total} rows proven`)
if (unknown.length > 0) process.exitCode = 1

function describe(row: Row, sides: readonly string[]): string {
  return `${[row.id, ...sides.map((side) => `:${side}`)].join(' ')}${row.beyond ? ' +' : ''}  ${row.text}`
}

function location({ file, line }: Mention): string {
  return `${file}:${line}`
}

function label({ id, side }: Mention): string {
  return side === undefined ? `[${id}]` : `[${id}:${side}]`
}
