/** What vitest tells the loop, one line of JSON each. Files are paths from the root of the repository. */
export type TestEvent =
  | { readonly kind: 'file-started'; readonly file: string }
  | { readonly kind: 'test-failed'; readonly file: string; readonly name: string; readonly errors: readonly Failure[] }
  | FileEnded
  | { readonly kind: 'run-ended'; readonly errors: readonly Failure[] }

export type FileEnded = {
  readonly kind: 'file-ended'
  readonly file: string
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
  /** Errors of the file itself: an import or a hook that failed. */
  readonly errors: readonly Failure[]
}

/** An error of a test: what it says, how the values differ, and the line in this repository. */
export type Failure = { readonly message: string; readonly diff?: string; readonly at?: string }

/** What a worker does now. It writes this itself, at once: a test in an endless loop cannot tell anything later. */
export type WorkerState = {
  readonly pid: number
  readonly file: string
  /** What it does if no test runs: it loads the file, or runs a hook after a test. */
  readonly between: string
  readonly tests: readonly string[]
  /** The longest time that vitest gives one of these tests. */
  readonly timeoutMs: number
}

/** What a worker does until all of a file is loaded. */
export const LOADING = 'loading'

/** The folder for events and the states of workers; set by the loop for the processes of a check. */
export const FOLDER_VARIABLE = 'DRAGOMAN_LOOP'
export const EVENTS_FILE = 'events.jsonl'
export const WORKER_PREFIX = 'worker-'
