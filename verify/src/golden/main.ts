import { readInputs } from './input.ts'
import { outputsOf } from './outputs.ts'
import { compare, hashesOf, readRecord, writeRecord, type Difference, type Recorded } from './record.ts'

const USAGE = `npm run golden                 compares the outputs of every pair for all inputs with the record
npm run golden -- --record     writes a new record
npm run golden -- --show <id>  prints all outputs for one input, to compare two versions of the code
npm run golden -- --generate   writes new generated inputs; the whole record changes with them`

const [option, id = ''] = process.argv.slice(2)

switch (option) {
  case undefined:
    report(compare(readRecord(), makeAll()))
    break
  case '--record':
    writeRecord(readInputs(), makeAll())
    break
  case '--show':
    show(id)
    break
  case '--generate': {
    const { writeInputs } = await import('./generate.ts')
    writeInputs()
    break
  }
  default:
    console.error(USAGE)
    process.exitCode = 1
}

function makeAll(): Recorded {
  return new Map(readInputs().map((input) => [input.id, hashesOf(outputsOf(input))]))
}

function report(differences: readonly Difference[]): void {
  for (const { id, output, what } of differences) console.log(`${[id, output].filter(Boolean).join(' ')} ${what}`)
  if (differences.length === 0) return console.log('golden: every output is as recorded')
  const outputs = Map.groupBy(differences, ({ output }) => output ?? 'inputs')
  console.log(`\n${differences.length} differences in ${new Set(differences.map((each) => each.id)).size} inputs:`)
  for (const [output, each] of outputs) console.log(`  ${output}: ${each.length}`)
  console.log('\nSee one of them with `npm run golden -- --show <id>`, in this version and in the one before.')
  process.exitCode = 1
}

function show(wanted: string): void {
  const input = readInputs().find((each) => each.id === wanted)
  if (input === undefined) throw new Error(`No input ${wanted}.`)
  console.log(`## ${input.from} ${input.kind}\n${JSON.stringify(input.wire, null, 2)}`)
  for (const [output, text] of outputsOf(input)) console.log(`\n## ${output}\n${readable(text)}`)
}

/** JSON on several lines, so that two of them can be compared line by line. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
