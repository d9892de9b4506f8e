import type { Limits } from './watchdog.ts'

/** How long a test or a hook may take. Long enough for a busy machine, so that only what hangs fails: tests wait for conditions. */
export const STEP_MS = 180_000

const GRACE_MS = 30_000

/** When the loop ends a check that does not end itself. */
export const LIMITS: Limits = {
  startMs: STEP_MS + GRACE_MS,
  loadMs: STEP_MS + GRACE_MS,
  stepMs: STEP_MS,
  graceMs: GRACE_MS,
  closeMs: 30_000,
  suiteMs: 20 * 60_000,
}
