import { LOADING } from './events.ts'
import type { Worker } from './progress.ts'

/** When a run of tests counts as hanging. Vitest ends what it can by its own limits; these are for what it cannot end, and are longer. */
export type Limits = {
  /** Until the first test file, with the global setup. */
  readonly startMs: number
  /** The loading of one file. */
  readonly loadMs: number
  /** One hook, or one test that has no longer time of its own. */
  readonly stepMs: number
  /** Added to each step, so that vitest ends what it can end. */
  readonly graceMs: number
  /** The process has to end this long after its last test. */
  readonly closeMs: number
  readonly suiteMs: number
}

/** What the watchdog knows about a run. */
export type Watched = {
  readonly startedAt: number
  /** When something was last heard: an event, or a new state of a worker. */
  readonly heardAt: number
  readonly endedAt: number | undefined
  readonly workers: readonly Worker[]
  readonly files: readonly string[]
  readonly lastFiles: readonly string[]
}

/** Why a run is stopped, with the names of what does not end. */
export function hangOf(watched: Watched, now: number, limits: Limits): string | undefined {
  const { startedAt, heardAt, endedAt, workers, files, lastFiles } = watched
  const seconds = (since: number): string => `${Math.round((now - since) / 1000)} s`
  const stuck = workers.filter((worker) => now - worker.since > limitOf(worker, limits))
  if (stuck.length > 0)
    return stuck.map((worker) => `${nameOf(worker)} has not ended after ${seconds(worker.since)}`).join('\n')
  if (endedAt !== undefined && now - endedAt > limits.closeMs) {
    return `all tests have ended, but the process has not after ${seconds(endedAt)}; the last files were ${lastFiles.join(', ')}`
  }
  if (endedAt === undefined && workers.length === 0 && now - heardAt > limits.startMs) {
    const waiting =
      files.length === 0 ? 'no test file has started (a global setup, or the configuration)' : files.join(', ')
    return `${waiting}: nothing happened for ${seconds(heardAt)}`
  }
  if (now - startedAt > limits.suiteMs) return `not ended after ${seconds(startedAt)}: ${files.join(', ')}`
  return undefined
}

function limitOf({ between, tests, timeoutMs }: Worker, limits: Limits): number {
  if (tests.length === 0 && between === LOADING) return limits.loadMs
  return Math.max(limits.stepMs, timeoutMs) + limits.graceMs
}

/** The tests of a worker, or what it does between them. */
export function nameOf({ file, between, tests }: Pick<Worker, 'file' | 'between' | 'tests'>): string {
  return tests.length === 0 ? `${file} (${between})` : `${file} > ${tests.join(', ')}`
}
