import { setTimeout as pause } from 'node:timers/promises'

/** Long enough for a busy machine. */
const DEADLINE_MS = 90_000
const POLL_MS = 50

/** Waits for a condition, and for at most 90 seconds. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, pollMs = POLL_MS): Promise<void> {
  const end = performance.now() + DEADLINE_MS
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}.`)
    await pause(pollMs)
  }
}
