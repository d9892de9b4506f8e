import { DragomanError } from '@dragoman/core'
import type { GatewayLimits } from './settings.ts'

/** How many calls are under way: in all, and of one caller. */
export interface Places {
  /** Throws when there is none left. */
  take(caller: string): void
  free(caller: string): void
}

/** Callers without a call under way that are remembered. */
const MOST_IDLE = 1000

export function createPlaces({ concurrency, perKey }: Pick<GatewayLimits, 'concurrency' | 'perKey'>): Places {
  // A caller stays in it when its last call ends, for the reason that `createSlots` gives.
  const tallies = new Map<string, { calls: number }>()
  let idle = 0
  let all = 0
  const tallyOf = (caller: string): { calls: number } => {
    const known = tallies.get(caller)
    if (known !== undefined) return known
    const tally = { calls: 0 }
    tallies.set(caller, tally)
    idle++
    return tally
  }
  const forgetIdle = (): void => {
    for (const [caller, { calls }] of tallies) if (calls === 0) tallies.delete(caller)
    idle = 0
  }
  return {
    take(caller) {
      const tally = tallyOf(caller)
      if (tally.calls >= perKey) throw crowded('rate-limit', `This key may have ${perKey} calls under way at once.`)
      if (all >= concurrency) throw crowded('overloaded', 'The gateway has as many calls under way as it takes.')
      all++
      if (tally.calls++ === 0) idle--
    },
    free(caller) {
      const tally = tallyOf(caller)
      all--
      if (--tally.calls === 0 && ++idle > MOST_IDLE) forgetIdle()
    },
  }
}

/** Places come free all the time: the caller may try again soon. */
function crowded(kind: 'rate-limit' | 'overloaded', message: string): DragomanError {
  return new DragomanError(kind, message, { code: 'too_many_concurrent_requests', retryAfter: 1 })
}
