import { compareAll, type Difference } from './catalogue.ts'

const { unknown, stale, listed } = compareAll()
print('unknown: the SDKs have these, and they are neither known here nor listed as missing', unknown)
print('not missing: these are listed as missing, and are known here or gone from the SDKs', stale)
for (const [subject, count] of listed) console.log(`${subject}: ${count} known to be missing`)
if (unknown.length > 0 || stale.length > 0) {
  console.log('\ncatalogue/README.md says what to do.')
  process.exitCode = 1
} else console.log('catalogue: everything that the SDKs name is known or listed')

function print(title: string, differences: readonly Difference[]): void {
  if (differences.length === 0) return
  console.log(`${title}:\n`)
  for (const [subject, group] of Map.groupBy(differences, (each) => each.subject)) {
    console.log(`  ${subject}`)
    for (const { name, where } of group)
      console.log(`    ${name}${where.length === 0 ? '' : `  (${where.join(', ')})`}`)
  }
  console.log('')
}
