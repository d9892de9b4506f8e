import type { FileTime } from './loop/records.ts'

/** How one check ended. */
export type Result = {
  readonly name: string
  readonly status: 'ok' | 'cached' | 'failed' | 'not run'
  readonly seconds: number
  readonly cpuSeconds: number | undefined
  readonly tests: number
  readonly failedTests: number
  /** The titles of failed tests, and of files that failed outside their tests. */
  readonly failed: readonly string[]
  readonly skipped: readonly string[]
  readonly files: readonly FileTime[]
  readonly log?: string
}

/** The verdict on all checks. Only checks that have all run can have passed. */
export function verdictOf(results: readonly Result[], isStopped: boolean): { text: string; exitCode: number } {
  if (isStopped) return { text: 'STOPPED before the end', exitCode: 1 }
  if (results.some(({ status }) => status === 'failed')) return { text: 'SOME FAILED, see above', exitCode: 1 }
  const isComplete = results.length > 0 && results.every(({ status }) => status === 'ok' || status === 'cached')
  return isComplete ? { text: 'all passed', exitCode: 0 } : { text: 'NOT ALL HAVE RUN', exitCode: 1 }
}
