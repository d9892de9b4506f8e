import { join } from 'node:path'
import { runAffected } from './affected.ts'
import { listChecks } from './loop/checks.ts'
import { LIMITS } from './loop/limits.ts'
import { createPieces } from './loop/piece-of-work.ts'
import { createRecords } from './loop/records.ts'
import { runChecks } from './loop/run-checks.ts'
import { summaryOf } from './loop/summary.ts'
import { ROOT } from './sources.ts'
import { verdictOf } from './verdict.ts'

const CACHE = join(ROOT, 'node_modules/.cache/checks')
/** Two more than the cores of a small machine: some checks wait most of their time, and several have one worker. */
const WORKERS = 4
const SAMPLE_MS = 3000
const USAGE = `npm test -- [options]
  --affected          only tests whose imports reach a changed file, nearest first, for at most a minute; this is not npm test
  --base=<commit>     with --affected: what to compare with, by default the commit where this branch left main
  --filter=<package>  only the tests of a package: --filter=@dragoman/core; also the forms of turbo, such as --filter=...@dragoman/core
  --force             repeats checks that passed before with the same files
  --workers=<number>    checks at the same time, ${WORKERS} by default`

const started = Date.now()
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const isAffected = args.includes('--affected')
  const known = isAffected ? /^--(?:affected|base=.+)$/ : /^--(?:filter=.+|force|workers=[1-9]\d?)$/
  const unknown = args.find((arg) => !known.test(arg))
  if (unknown !== undefined) {
    console.error(`unknown option ${unknown}\n\n${USAGE}`)
    return 2
  }
  if (isAffected) return runAffected(args.findLast((arg) => arg.startsWith('--base='))?.slice(7))
  console.log('checking format, lint, types, tests, dead code, structure and spec')
  const checks = await listChecks(args.filter((arg) => arg.startsWith('--filter=')))
  const { results, stop } = runChecks(checks, {
    records: createRecords(CACHE),
    limits: LIMITS,
    workers: Number(args.findLast((arg) => arg.startsWith('--workers='))?.slice(10) ?? WORKERS),
    isForced: args.includes('--force'),
    quietMs: 10_000,
    logs: join(CACHE, 'logs'),
    print: (text) => console.log(text),
  })
  let isStopped = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isStopped = true
      stop()
    })
  const pieces = createPieces()
  const sampling = setInterval(pieces.sample, SAMPLE_MS)
  const ended = await results
  clearInterval(sampling)
  for (const line of summaryOf(ended, (Date.now() - started) / 1000, isStopped, pieces.medianMs())) console.log(line)
  return verdictOf(ended, isStopped).exitCode
}
