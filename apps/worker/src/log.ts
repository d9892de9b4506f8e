import { createEntryText, type Log } from '@dragoman/gateway'

/** Writes one JSON line per answer to the log of the platform. */
export function createLog(): Log {
  const entryText = createEntryText()
  return {
    // oxlint-disable-next-line no-console -- the log of this platform is the console
    write: (entry) => console.log(`{${entryText(entry)}}`),
  }
}

/** Writes a message for the operator to the log of the platform. */
export function complain(message: string, thrown?: unknown): void {
  const reason = thrown instanceof Error ? { reason: thrown.message } : {}
  // oxlint-disable-next-line no-console -- the log of this platform is the console
  console.error(JSON.stringify({ level: 'error', message, ...reason }))
}

/** Writes that a watcher of calls has failed, without the message of its error, which may have content. */
export function onWatcherError(watcher: string, thrown: unknown): void {
  complain(
    `${watcher} failed, and the call went on without it: ${thrown instanceof Error ? thrown.constructor.name : typeof thrown}`,
  )
}
