import type { Failure, FileEnded, TestEvent } from './events.ts'

/** A test that failed, or a file that failed outside its tests. */
export type Failed = { readonly title: string; readonly errors: readonly Failure[] }

/** What the tests of one check have given so far. */
export type Suite = {
  readonly failed: Failed[]
  readonly ended: FileEnded[]
}

/** Collects events. Calls back for each failure, at once. */
export function createSuite(onFailed: (failed: Failed) => void): Suite & {
  readonly add: (event: TestEvent) => void
  /** The loop has ended the run: why, with the name of what hangs. */
  readonly stop: (hang: string) => void
} {
  const failed: Failed[] = []
  const ended: FileEnded[] = []
  const fail = (title: string, errors: readonly Failure[]): void => {
    failed.push({ title, errors })
    onFailed({ title, errors })
  }
  const add = (event: TestEvent): void => {
    switch (event.kind) {
      case 'file-started':
        return
      case 'test-failed':
        return fail(`${event.file} > ${event.name}`, event.errors)
      case 'file-ended':
        ended.push(event)
        if (event.errors.length > 0) fail(`${event.file} (outside its tests)`, event.errors)
        return
      case 'run-ended':
        if (event.errors.length > 0) fail('an error outside all tests', event.errors)
        return
      default:
        return event satisfies never
    }
  }
  const stop = (hang: string): void => fail(hang, [{ message: 'The loop has ended it, with the rest of its suite.' }])
  return { failed, ended, add, stop }
}

/** The number of tests that have passed and failed, and the titles of those that were skipped. */
export function countsOf({ ended }: Suite): { passed: number; failed: number; skipped: readonly string[] } {
  const sum = (kind: 'passed' | 'failed'): number => ended.reduce((total, file) => total + file[kind], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: ended.flatMap(({ file, skipped }) => skipped.map((title) => `${file} > ${title}`)),
  }
}
