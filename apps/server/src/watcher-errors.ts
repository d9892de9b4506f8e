import type { ServerLog } from './log.ts'

/** A watcher that is broken fails for every call: one line in this time is enough. */
const SAME_ERROR_MS = 10_000

/** Writes what watchers of calls throw to the log: the class of the error and the line of code, never its message, which may have content. */
export function noteWatcherErrors(
  log: Pick<ServerLog, 'note'>,
  now: () => number = Date.now,
): (watcher: string, thrown: unknown) => void {
  const notedAt = new Map<string, number>()
  return (watcher, thrown) => {
    const text = `${watcher} failed, and the call went on without it: ${nameOf(thrown)}`
    if (now() - (notedAt.get(text) ?? Number.NEGATIVE_INFINITY) < SAME_ERROR_MS) return
    // Lines of code are few.
    notedAt.set(text, now())
    log.note('error', text)
  }
}

function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `a ${typeof thrown}`
  const line = /^ {4}at (.*)$/m.exec(thrown.stack ?? '')?.[1]
  return line === undefined ? thrown.constructor.name : `${thrown.constructor.name} at ${line}`
}
