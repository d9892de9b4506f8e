import type { Clock } from '@dragoman/core/provider'

/** Detects silence. Costs one flag per write and one timer per half interval. */
export interface Pulse {
  /** Something was written. */
  felt(): void
  stop(): void
}

/** Calls `beat` often enough that no silence is longer than the interval. */
export function createPulse(clock: Clock, intervalMs: number, beat: () => void): Pulse {
  let quiet = true
  const tick = (): void => {
    if (quiet) beat()
    quiet = true
    cancel = clock.after(intervalMs / 2, tick)
  }
  let cancel = clock.after(intervalMs / 2, tick)
  return {
    felt() {
      quiet = false
    },
    stop() {
      cancel()
    },
  }
}
