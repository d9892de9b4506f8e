import type { Clock } from '@dragoman/gateway'

/** A clock that only moves by hand. */
export function handClock(start: number): Clock & { advance(ms: number): void } {
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
        const [next] = waiting.filter(({ at }) => at <= until).toSorted((left, right) => left.at - right.at)
        if (next === undefined) break
        waiting = waiting.filter((other) => other !== next)
        now = next.at
        next.run()
      }
      now = until
    },
  }
}
