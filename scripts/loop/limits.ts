import type { Limits } from './watchdog.ts'

/** How long a test or a hook may take. Long enough for a busy machine, so that only what hangs fails: tests wait for conditions. */
export const STEP_MS = 180_000

/** When the loop ends a check that does not end itself. */
export const LIMITS: Limits = { stepMs: STEP_MS, graceMs: 30_000, closeMs: 30_000, suiteMs: 20 * 60_000 }
