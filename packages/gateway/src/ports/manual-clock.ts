import type { Clock } from '@dragoman/core/provider'

export interface ManualClock extends Clock {
  now(this: void): number
  /** Runs what is due until then, each at its time. */
  advance(ms: number): void
}

/** A clock that stands still until a test moves it. */
export function createManualClock(start = 1_000_000): ManualClock {
  let now = start
  let waiting: { readonly at: number; readonly run: () => void }[] = []
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      waiting.push(timer)
      return () => {
        waiting = waiting.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const until = now + ms
      for (;;) {
        const [next] = waiting.filter(({ at }) => at <= until).sort((left, right) => left.at - right.at)
        if (next === undefined) break
        waiting = waiting.filter((other) => other !== next)
        now = next.at
        next.run()
      }
      now = until
    },
  }
}
