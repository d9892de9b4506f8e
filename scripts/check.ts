import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { ROOT } from './sources.ts'

/** The part of turbo's run summary that this script reads. */
type Task = {
  readonly taskId: string
  readonly directory: string
  readonly command: string
  readonly cache: { readonly status: string }
  readonly execution?: { readonly startTime: number; readonly endTime: number; readonly exitCode: number | null }
}

const TASKS = ['types', 'test', 'check:format', 'check:lint', 'check:dead-code', 'check:spec', 'check:structure']
const RUNS = `${ROOT}/.turbo/runs`

const started = Date.now()
rmSync(RUNS, { recursive: true, force: true })
console.log('checking format, lint, types, tests, dead code, structure and spec; failed checks show their output')
const code = await runTurbo([...TASKS, '--continue', '--summarize', ...options(process.argv.slice(2))])
const tasks = readTasks()
report(tasks)
process.exitCode = code

/** Arguments are passed to turbo, for example `--filter=@dragoman/core` or `--output-logs=full`. */
function options(given: readonly string[]): string[] {
  const quiet = given.some((option) => option.startsWith('--output-logs')) ? [] : ['--output-logs=errors-only']
  return [...quiet, ...given]
}

function runTurbo(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const turbo = spawn('turbo', ['run', ...args], { cwd: ROOT, stdio: 'inherit' })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => turbo.kill(signal))
    turbo.on('error', reject)
    turbo.on('exit', (exit) => resolve(exit ?? 1))
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
  const verdict = code === 0 ? 'all passed' : 'SOME FAILED, see above'
  console.log(`\n${ran.length} checks in ${((Date.now() - started) / 1000).toFixed(1)} s: ${verdict}`)
  const skipped = rows.reduce((total, { tests }) => total + (tests?.skipped.length ?? 0), 0)
  console.log(`tests: ${sum('passed')} passed, ${sum('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
}

function resultOf({ cache, execution }: Task): string {
  if (cache.status === 'HIT') return 'ok  cached'
  if (execution === undefined) return 'not run'
  const seconds = ((execution.endTime - execution.startTime) / 1000).toFixed(1)
  return `${execution.exitCode === 0 ? 'ok' : 'FAILED'}  ${seconds} s`
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
  if (task.cache.status !== 'HIT' && statSync(file).mtimeMs < started) return undefined
  // Written by the vitest version that the lockfile pins.
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results
  const skipped = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => !/passed|failed/.test(status)).map(({ fullName }) => fullName),
  )
  return { passed: numPassedTests, failed: numFailedTests, skipped }
}
