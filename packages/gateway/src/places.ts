import { DragomanError } from '@dragoman/core'
import type { GatewayLimits } from './settings.ts'

/** How many calls are under way: in all, and of one caller. */
export interface Places {
  /** Throws when there is none left. */
  take(caller: string): void
  free(caller: string): void
}

export function createPlaces({ concurrency, perKey }: Pick<GatewayLimits, 'concurrency' | 'perKey'>): Places {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(caller) {
      const own = taken.get(caller) ?? 0
      if (own >= perKey) throw crowded('rate-limit', `This key may have ${perKey} calls under way at once.`)
      if (all >= concurrency) throw crowded('overloaded', 'The gateway has as many calls under way as it takes.')
      all++
      taken.set(caller, own + 1)
    },
    free(caller) {
      const own = (taken.get(caller) ?? 0) - 1
      all--
      if (own > 0) taken.set(caller, own)
      else taken.delete(caller)
    },
  }
}

/** Places come free all the time: the caller may try again soon. */
function crowded(kind: 'rate-limit' | 'overloaded', message: string): DragomanError {
  return new DragomanError(kind, message, { code: 'too_many_concurrent_requests', retryAfter: 1 })
}
