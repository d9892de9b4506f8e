import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { ROOT } from './sources.ts'
import { isCached, resultOf, verdictOf, type Run, type Task } from './verdict.ts'

/** Types are checked once for all packages, because each would check the sources of those that it imports again. */
const TASKS = ['check:types', 'test', 'check:format', 'check:lint', 'check:dead-code', 'check:spec', 'check:structure']
const RUNS = `${ROOT}/.turbo/runs`

const started = Date.now()
rmSync(RUNS, { recursive: true, force: true })
console.log('checking format, lint, types, tests, dead code, structure and spec; failed checks show their output')
const run = await runTurbo([...TASKS, '--continue', '--summarize', ...options(process.argv.slice(2))])
const tasks = readTasks()
const verdict = verdictOf(run, tasks)
report(tasks)
process.exitCode = verdict.exitCode

/** Arguments are passed to turbo, for example `--filter=@dragoman/core` or `--output-logs=full`. */
function options(given: readonly string[]): string[] {
  const quiet = given.some((option) => option.startsWith('--output-logs')) ? [] : ['--output-logs=errors-only']
  return [...quiet, ...given]
}

function runTurbo(args: readonly string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    const turbo = spawn('turbo', ['run', ...args], { cwd: ROOT, stdio: 'inherit' })
    let isStopped = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        isStopped = true
        turbo.kill(signal)
      })
    turbo.on('error', reject)
    turbo.on('exit', (exit) => resolve({ exitCode: exit ?? 1, isStopped }))
  })
}

function readTasks(): readonly Task[] {
  const [file] = existsSync(RUNS) ? readdirSync(RUNS) : []
  if (file === undefined) return []
  // Written by the turbo version that the lockfile pins.
  const summary = JSON.parse(readFileSync(`${RUNS}/${file}`, 'utf8')) as { tasks: Task[] }
  return summary.tasks.filter(({ command }) => command !== '<NONEXISTENT>')
}

function report(ran: readonly Task[]): void {
  const rows = ran.map((task) => ({
    name: task.taskId.replace('//#', 'all#'),
    result: resultOf(task),
    tests: testsOf(task),
  }))
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  console.log('')
  for (const { name, result, tests } of rows.sort((left, right) => left.name.localeCompare(right.name))) {
    console.log(
      `  ${name.padEnd(width)}  ${result}${tests === undefined ? '' : `  ${tests.passed + tests.failed} tests`}`,
    )
  }
  const sum = (kind: 'passed' | 'failed') => rows.reduce((total, { tests }) => total + (tests?.[kind] ?? 0), 0)
  for (const { name, tests } of rows)
    for (const title of tests?.skipped ?? []) console.log(`\n!!! NOT RUN: ${name}: ${title}`)
  console.log(`\n${ran.length} checks in ${((Date.now() - started) / 1000).toFixed(1)} s: ${verdict.text}`)
  const skipped = rows.reduce((total, { tests }) => total + (tests?.skipped.length ?? 0), 0)
  console.log(`tests: ${sum('passed')} passed, ${sum('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
}

/** The part of vitest's report that this script reads. */
type Results = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** Test counts of a task. A result file that is older than this run belongs to another run. */
function testsOf(task: Task): { passed: number; failed: number; skipped: readonly string[] } | undefined {
  const file = `${ROOT}/${task.directory}/.vitest/results.json`
  if (!task.command.includes('vitest') || !existsSync(file)) return undefined
  if (!isCached(task) && statSync(file).mtimeMs < started) return undefined
  // Written by the vitest version that the lockfile pins.
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results
  const skipped = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => !/passed|failed/.test(status)).map(({ fullName }) => fullName),
  )
  return { passed: numPassedTests, failed: numFailedTests, skipped }
}
