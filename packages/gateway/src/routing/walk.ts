import type { Health } from '../health/health.ts'
import type { Clock } from '@dragoman/core/provider'
import type { Candidate } from './candidates.ts'
import type { Ranked } from './order.ts'

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
export function createWalk(routes: readonly Ranked[], health: Health, clock: Clock, caller: string): Walk {
  let left = routes
  let index = 0
  const pauseOf = ({ provider, id }: Candidate, isLast: boolean): number | undefined => {
    const verdict = health.check({ provider: provider.name, model: id }, caller)
    if (verdict.state === 'closed' || verdict.trial || (isLast && !verdict.running)) return undefined
    return Math.max(verdict.until, clock.now() + 1000)
  }
  const walk: { -readonly [Member in keyof Walk]: Walk[Member] } = {
    take() {
      for (;;) {
        const ranked = left[index++]
        if (ranked === undefined) return undefined
        const pausedUntil = pauseOf(ranked.route, index >= left.length)
        if (pausedUntil === undefined) return ranked.route
        walk.pausedUntil = Math.min(pausedUntil, walk.pausedUntil ?? pausedUntil)
      }
    },
    keep(isWorthTrying) {
      left = left.slice(index).filter(({ route }) => isWorthTrying(route))
      index = 0
    },
    restart() {
      left = routes
      index = 0
    },
    hasMore: () => index < left.length,
    pausedUntil: undefined,
  }
  return walk
}
