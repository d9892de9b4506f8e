import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../sources.ts'
import type { Result } from '../verdict.ts'
import { inOrder, type Check } from './checks.ts'
import { activityOf, clockOf, failureText } from './lines.ts'
import type { createRecords } from './records.ts'
import { startCheck, type Running } from './run-check.ts'
import { countsOf, createSuite } from './suite.ts'
import type { Limits } from './watchdog.ts'

export type Options = {
  readonly records: ReturnType<typeof createRecords>
  readonly limits: Limits
  /** Checks at the same time. */
  readonly workers: number
  /** Whether checks that have passed with the same files run again. */
  readonly isForced: boolean
  readonly logs: string
  /** After this long without a line, one says what is running. */
  readonly quietMs: number
  readonly print: (text: string) => void
}

/** More failures of one check are listed at the end by their names alone. */
const SHOWN_FAILURES = 10
const SHOWN_LINES = 150

/** Runs checks side by side, and prints each as it ends and what is still running. */
export function runChecks(
  checks: readonly Check[],
  options: Options,
): { results: Promise<Result[]>; stop: () => void } {
  const { records, print } = options
  const startedAt = Date.now()
  const secondsSince = (time: number): number => (Date.now() - time) / 1000
  const running = new Map<string, { readonly run: Running; readonly since: number }>()
  let isStopped = false
  let printedAt = startedAt
  const say = (text: string): void => {
    printedAt = Date.now()
    print(text)
  }
  const line = (text: string): void => say(`${clockOf(secondsSince(startedAt)).padStart(6)}  ${text}`)

  const passedBefore = (check: Check) =>
    options.isForced ? undefined : records.passedOf(check.name).find(({ key }) => key === check.key)
  const waiting = [
    ...inOrder(
      checks.filter((check) => passedBefore(check) === undefined),
      lastSeconds,
    ),
  ]
  function lastSeconds(name: string): number | undefined {
    return records.passedOf(name)[0]?.seconds
  }

  const runOne = async (check: Check): Promise<Result> => {
    const since = Date.now()
    const log = join(options.logs, `${check.name.replaceAll(/\W/g, '-')}.log`)
    const suite = createSuite(({ title, errors }) => {
      if (suite.failed.length <= SHOWN_FAILURES) say(failureText(title, errors))
    })
    const run = startCheck({ line: check.line, directory: check.directory, log }, options.limits, suite.add)
    running.set(check.name, { run, since })
    const { exitCode, seconds, cpuSeconds, hang } = await run.outcome
    running.delete(check.name)
    if (hang !== undefined) suite.stop(hang)
    const { passed, failed, skipped } = countsOf(suite)
    const isOk = exitCode === 0 && hang === undefined && suite.failed.length === 0 && !isStopped
    const files = suite.ended.map(({ file, seconds }) => ({ file, seconds }))
    const tests = passed + failed
    if (isOk) records.keep(check.name, { key: check.key, seconds, cpuSeconds, tests, skipped, files })
    else if (!isStopped && suite.failed.length === 0) say(lastLines(log))
    const status = isOk ? 'ok' : isStopped ? 'not run' : 'failed'
    const rest = [...running.keys(), ...(waiting.length === 0 ? [] : [`${waiting.length} to go`])].join(', ')
    line(
      `${wordOf(status)} ${check.name.padEnd(34)} ${seconds.toFixed(1).padStart(6)} s${tests === 0 ? '' : `  ${tests} tests`}${rest === '' ? '' : `   (running: ${rest})`}`,
    )
    const titles = suite.failed.map(({ title }) => title)
    return {
      name: check.name,
      status,
      seconds,
      cpuSeconds,
      tests,
      failedTests: failed,
      failed: titles,
      skipped,
      files,
      log,
    }
  }

  const worker = async (): Promise<Result[]> => {
    const done: Result[] = []
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) done.push(await runOne(check))
    return done
  }
  const results = (async (): Promise<Result[]> => {
    const beat = setInterval(() => {
      const now = Date.now()
      if (now - printedAt < options.quietMs) return
      const active = [...running].map(([name, { run, since }]) =>
        activityOf(name, (now - since) / 1000, run.workers(), now),
      )
      line(`running: ${active.join(' | ')}`)
    }, 500)
    const cached = checks.flatMap((check) => {
      const before = passedBefore(check)
      return before === undefined ? [] : [cachedResult(check, before)]
    })
    if (cached.length > 0) line(`${cached.length} of ${checks.length} checks passed before with the same files`)
    try {
      const ran = (await Promise.all(Array.from({ length: options.workers }, worker))).flat()
      const missed = checks.filter(({ name }) => ![...cached, ...ran].some((result) => result.name === name))
      return [...cached, ...ran, ...missed.map(({ name }) => ({ ...NOTHING, name, status: 'not run' as const }))]
    } finally {
      clearInterval(beat)
    }
  })()
  const stop = (): void => {
    isStopped = true
    waiting.length = 0
    for (const { run } of running.values()) run.stop()
  }
  return { results, stop }
}

const NOTHING = { seconds: 0, cpuSeconds: undefined, tests: 0, failedTests: 0, failed: [], skipped: [], files: [] }

function cachedResult(
  { name }: Check,
  { tests, skipped, files }: ReturnType<Options['records']['passedOf']>[number],
): Result {
  return { ...NOTHING, name, status: 'cached', tests, skipped, files }
}

function wordOf(status: Result['status']): string {
  return { ok: 'ok    ', cached: 'ok    ', failed: 'FAILED', 'not run': 'ended ' }[status]
}

/** The end of the output of a check that failed without a failed test. */
function lastLines(log: string): string {
  const lines = stripVTControlCharacters(readFileSync(log, 'utf8')).trimEnd().split('\n')
  const skipped = lines.length - SHOWN_LINES
  return [
    ...(skipped > 0 ? [`… ${skipped} lines before, in ${log.replace(`${ROOT}/`, '')}`] : []),
    ...lines.slice(-SHOWN_LINES),
  ].join('\n')
}
