import { CLIENTS } from './all-clients.ts'
import type { Client, Installed } from './client.ts'
import { writeDocument } from './document.ts'
import { requestsOf, writeFixture, type RecordedRequest } from './fixture.ts'
import { readOptions, USAGE, type Options } from './options.ts'
import { describeCell, recordedResults, writeResult, type Result } from './result.ts'
import { runCell } from './run-cell.ts'
import { describeOutcome, hasFailed, runClients, type Outcome } from './run-clients.ts'
import { cellsOf } from './scenarios.ts'
import { createStage, type Stage } from './stage.ts'

const { options, clients } = chosen(process.argv.slice(2))

const stage = await createStage()
let outcome: Outcome
try {
  outcome = await runClients(clients, (client, installed) => runClient(stage, client, installed, options))
} finally {
  await stage.close()
}
if (options.record) writeDocument(CLIENTS)
console.log(`\n${describeOutcome(outcome)}`)
process.exitCode = hasFailed(outcome) ? 1 : 0

/** What to run. Ends the process if that is nothing. */
function chosen(args: readonly string[]): { readonly options: Options; readonly clients: readonly Client[] } {
  try {
    const wanted = readOptions(args)
    if (wanted === undefined) {
      console.log(USAGE)
      return process.exit(0)
    }
    const { only } = wanted
    const found = CLIENTS.filter(({ name }) => only.length === 0 || only.some((begin) => name.startsWith(begin)))
    if (found.length === 0) throw new Error(`No client begins with ${only.join(' or ')}.`)
    return { options: wanted, clients: found }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return process.exit(2)
  }
}

/** A run with a known fault of the client must fail, so that the fault is removed from the suite when the client is repaired. */
function judge(problems: readonly string[], fault: string | undefined): readonly string[] {
  if (fault === undefined) return problems
  return problems.length > 0 ? [] : [`it succeeded, in spite of: ${fault}`]
}

/** Runs all cells of a client, and returns how many failed. */
async function runClient(
  world: Stage,
  client: Client,
  installed: Installed,
  { keep, record, missing, wants }: Options,
): Promise<number> {
  console.log(`\n${client.title} ${Object.values(installed.versions)[0] ?? ''}`)
  const results: Result[] = []
  const requests: RecordedRequest[] = []
  const known = new Set(recordedResults(client, installed).map(describeCell))
  const cells = cellsOf(client).filter((cell) => wants(cell) && !(missing && known.has(describeCell(cell))))
  for (const cell of cells) {
    const started = performance.now()
    const seen = await runCell(world, client, installed, cell, { keep })
    const { folder } = seen
    const fault = client.fault?.(cell)
    const problems = judge(seen.problems, fault)
    results.push({ ...cell, problems, ...(fault === undefined ? {} : { fault }) })
    if (seen.problems.length === 0) requests.push(...requestsOf(seen))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `  ${problems.length > 0 ? 'FAILED' : fault === undefined ? 'ok    ' : 'fault '} ${describeCell(cell)} ${seconds} s${keep ? ` ${folder}` : ''}`,
    )
    for (const problem of problems) console.log(`         ${problem}`)
  }
  const scenes = await client.scenes?.(installed)
  if (record) {
    // Requests of other versions are replaced.
    const isKept = (run: Pick<RecordedRequest, 'scenario' | 'upstream'>): boolean =>
      known.size > 0 &&
      !results.some(({ scenario, upstream }) => scenario === run.scenario && upstream === run.upstream)
    writeFixture(client, requests, isKept)
    writeResult(client, installed, results, scenes)
  }
  return [...results, ...(scenes ?? [])].filter(({ problems }) => problems.length > 0).length
}
