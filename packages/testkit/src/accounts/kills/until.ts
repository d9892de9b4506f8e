import { setTimeout as pause } from 'node:timers/promises'

/** The time is long enough for a busy machine. */
const DEADLINE_MS = 300_000
const POLL_MS = 50

/** Waits for a condition. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + DEADLINE_MS
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Waited in vain for: ${what}`)
    await pause(POLL_MS)
  }
}
