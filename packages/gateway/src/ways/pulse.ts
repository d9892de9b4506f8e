import type { Clock } from '../ports.ts'

/** Notices silence. Costs one flag per write and one timer per half interval, however many chunks there are. */
export interface Pulse {
  /** Something was written. */
  felt(): void
  stop(): void
}

/** Calls `beat` so that no silence is longer than the interval. */
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
