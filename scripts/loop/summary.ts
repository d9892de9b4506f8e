import { relative } from 'node:path'
import { ROOT } from '../sources.ts'
import { verdictOf, type Result } from '../verdict.ts'
import { piecesText } from './piece-of-work.ts'

const SLOWEST = 10
const SHOWN_NAMES = 40

/**
 * The end of a run: each check, what was not run, the slowest files, what failed, the CPU time, and the verdict. `pieceMs` is the CPU time
 * of a fixed piece of work meanwhile.
 */
export function summaryOf(
  results: readonly Result[],
  seconds: number,
  isStopped: boolean,
  pieceMs?: number,
): readonly string[] {
  const width = Math.max(0, ...results.map(({ name }) => name.length))
  const sorted = results.toSorted((left, right) => left.name.localeCompare(right.name))
  const sum = (count: (result: Result) => number): number => results.reduce((total, result) => total + count(result), 0)
  const skipped = results.flatMap((result) => result.skipped)
  const failed = results.filter(({ status }) => status === 'failed')
  const tests = sum(({ tests }) => tests)
  const failedTests = sum(({ failedTests }) => failedTests)
  const cpuSeconds = sum((result) => result.cpuSeconds ?? 0)
  return [
    '',
    ...sorted.map(
      (result) =>
        `  ${result.name.padEnd(width)}  ${stateOf(result)}${result.tests === 0 ? '' : `  ${result.tests} tests`}`,
    ),
    ...slowestOf(results),
    ...skipped.map((title) => `!!! NOT RUN: ${title}`),
    ...failed.flatMap(failureNames),
    '',
    ...[piecesText(pieceMs, cpuSeconds)].filter((text) => text !== undefined),
    `${results.length} checks in ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU time: ${verdictOf(results, isStopped).text}`,
    `tests: ${tests - failedTests} passed, ${failedTests} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`,
  ]
}

function stateOf({ status, seconds, cpuSeconds }: Result): string {
  if (status === 'cached') return 'ok  as before'
  if (status === 'not run') return 'not run'
  const cpu = cpuSeconds === undefined ? '' : ` (${cpuSeconds.toFixed(1)} s of CPU time)`
  return `${status === 'ok' ? 'ok' : 'FAILED'}  ${seconds.toFixed(1)} s${cpu}`
}

/** The files that took longest, so that growth is seen. Those of checks that were not repeated count too. */
function slowestOf(results: readonly Result[]): readonly string[] {
  const files = results.flatMap((result) => result.files).toSorted((left, right) => right.seconds - left.seconds)
  if (files.length === 0) return []
  const lines = files.slice(0, SLOWEST).map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  return ['', `the slowest ${Math.min(SLOWEST, files.length)} of ${files.length} test files:`, ...lines]
}

function failureNames({ name, failed, log }: Result): readonly string[] {
  const names = failed.length === 0 ? [name] : failed.slice(0, SHOWN_NAMES)
  const more = failed.length > SHOWN_NAMES ? [`  … and ${failed.length - SHOWN_NAMES} more`] : []
  const where = log === undefined ? '' : `; the whole output is in ${relative(ROOT, log)}`
  return ['', `FAILED in ${name}${where}`, ...names.map((title) => `  ${title}`), ...more]
}
