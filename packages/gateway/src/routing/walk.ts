import type { Health } from '../health/health.ts'
import type { Clock } from '../ports.ts'
import type { Candidate } from './candidates.ts'

/** The routes of a call that may still be tried, best first. */
export interface Walk {
  /** The next route; undefined if none may be called now. */
  take(): Candidate | undefined
  /** Drops routes that cannot succeed any more. */
  keep(isWorthTrying: (route: Candidate) => boolean): void
  /** Begins with the first route again. */
  restart(): void
  hasMore(): boolean
  /** When the pause of a route ends that was not called because it has failed lately, in Unix milliseconds. */
  readonly pausedUntil: number | undefined
}

/** A route that has failed lately is left out, except the last one: that is called, one call at a time. */
export function createWalk(routes: readonly Candidate[], health: Health, clock: Clock): Walk {
  let left = routes
  const pauseOf = ({ provider, id }: Candidate, isLast: boolean): number | undefined => {
    const verdict = health.check({ provider: provider.name, model: id })
    if (verdict.state === 'closed' || verdict.trial || (isLast && !verdict.running)) return undefined
    return Math.max(verdict.until, clock.now() + 1000)
  }
  const walk: { -readonly [Member in keyof Walk]: Walk[Member] } = {
    take() {
      for (;;) {
        const [route, ...rest] = left
        if (route === undefined) return undefined
        left = rest
        const pausedUntil = pauseOf(route, rest.length === 0)
        if (pausedUntil === undefined) return route
        walk.pausedUntil = Math.min(pausedUntil, walk.pausedUntil ?? pausedUntil)
      }
    },
    keep(isWorthTrying) {
      left = left.filter(isWorthTrying)
    },
    restart() {
      left = routes
    },
    hasMore: () => left.length > 0,
    pausedUntil: undefined,
  }
  return walk
}
