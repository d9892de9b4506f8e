// Plants faults in a copy of this checkout, one after another, and reports which test finds each and how quickly:
//
//   npm run plant                    all faults
//   npm run plant -- limit price     those whose kind or name contains one of the words
//
// A fault is looked for as a contributor would, with `npm run t -- <its file>`: the tests that need the file, nearest first, for a minute.
import { createCopy } from './copy.ts'
import { FAULTS } from './faults.ts'
import { findFault, type Finding } from './find-fault.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const chosen = FAULTS.filter(
    ({ kind, name }) => words.length === 0 || words.some((word) => `${kind} ${name}`.includes(word)),
  )
  if (chosen.length === 0) {
    console.error(`No fault has a kind or a name with ${words.join(' or ')}.`)
    return 2
  }
  console.log(`planting ${chosen.length} faults in a copy of this checkout`)
  const copy = createCopy()
  let missed = 0
  try {
    for (const fault of chosen) {
      console.log(`\n${fault.kind}: ${fault.name} (${fault.file})`)
      const finding = await findFault(copy.folder, fault)
      if (finding.found === undefined || finding.isRedAnyway === true) missed++
      console.log(`  ${describe(finding)}`)
    }
  } finally {
    copy.remove()
  }
  console.log(`\n${chosen.length - missed} of ${chosen.length} faults were found`)
  return missed === 0 ? 0 : 1
}

function describe({ found, seconds, isRedAnyway }: Finding): string {
  if (found === undefined) return `NOT FOUND in ${seconds.toFixed(1)} s`
  const test = `in ${seconds.toFixed(1)} s: ${found}`
  return isRedAnyway === true ? `NOT FOUND, because the first red test is red without it too, ${test}` : `found ${test}`
}
