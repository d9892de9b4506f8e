import { join } from 'node:path'
import type { Batch } from '../graph/order.ts'
import { ROOT } from '../sources.ts'
import type { FileEnded } from './events.ts'
import { activityOf, clockOf, failureText } from './lines.ts'
import { startCheck, type Running } from './run-check.ts'
import { createSuite } from './suite.ts'
import type { Limits } from './watchdog.ts'

export type Options = {
  /** Arguments for vitest. */
  readonly extra: readonly string[]
  readonly limits: Limits
  /** When the run is ended, if it has a limit. */
  readonly until: number | undefined
  /** Ends the run, with the processes that it started. */
  readonly signal?: AbortSignal
  readonly quietMs: number
  readonly log: string
  readonly print: (text: string) => void
}

/** What a run of selected tests found. */
export type Selected = {
  readonly ended: readonly FileEnded[]
  readonly failed: readonly string[]
  readonly notRun: readonly string[]
}

/** Runs tests in the order of their batches, and prints each file as it ends and each failure as it happens. */
export async function runBatches(batches: readonly Batch[], options: Options): Promise<Selected> {
  const startedAt = Date.now()
  const { until, print } = options
  let printedAt = startedAt
  const say = (text: string): void => {
    printedAt = Date.now()
    print(text)
  }
  const line = (text: string): void => say(`${clockOf((Date.now() - startedAt) / 1000).padStart(6)}  ${text}`)
  let current: { readonly run: Running; readonly name: string; readonly since: number } | undefined
  const ended: FileEnded[] = []
  const failed: string[] = []
  const isOver = (): boolean => options.signal?.aborted === true || (until !== undefined && Date.now() >= until)

  const beat = setInterval(() => {
    const now = Date.now()
    if (isOver()) current?.run.stop()
    else if (current !== undefined && now - printedAt >= options.quietMs)
      line(`running: ${activityOf(current.name, (now - current.since) / 1000, current.run.workers(), now)}`)
  }, 200)
  try {
    for (const { directory, tests } of batches) {
      if (isOver()) break
      const suite = createSuite(({ title, errors }) => say(failureText(title, errors)))
      const command = ['vitest', 'run', ...options.extra, ...tests.map((test) => join(ROOT, test))]
        .map(quoted)
        .join(' ')
      const run = startCheck(
        { line: command, directory: join(ROOT, directory), log: options.log },
        options.limits,
        (event) => {
          suite.add(event)
          if (event.kind === 'file-ended' && event.passed + event.failed + event.errors.length > 0)
            line(fileLine(event))
        },
      )
      current = { run, name: directory, since: Date.now() }
      const { exitCode, hang } = await run.outcome
      if (hang !== undefined) suite.stop(hang)
      else if (exitCode !== 0 && suite.failed.length === 0 && !isOver())
        suite.add({ kind: 'run-ended', errors: [{ message: `vitest ended with ${exitCode}: see ${options.log}` }] })
      ended.push(...suite.ended)
      failed.push(...suite.failed.map(({ title }) => title))
    }
  } finally {
    clearInterval(beat)
  }
  const files = new Set(ended.map(({ file }) => file))
  return { ended, failed, notRun: batches.flatMap(({ tests }) => tests).filter((test) => !files.has(test)) }
}

function fileLine({ file, seconds, passed, failed, errors }: FileEnded): string {
  const word = failed + errors.length === 0 ? 'ok    ' : 'FAILED'
  return `${word} ${seconds.toFixed(1).padStart(6)} s ${String(passed + failed).padStart(5)} tests  ${file}`
}

function quoted(argument: string): string {
  return /^[\w./:=@-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`
}
