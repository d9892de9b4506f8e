import { DragomanError } from '@dragoman/core'
import type { GatewayLimits } from '../call/settings.ts'
import type { Stage } from '../call/stage.ts'

/** The number of callers without a running call that are remembered. */
const MOST_IDLE = 1000

/** Limits the running calls in total and per caller. All calls without a key count as one caller. */
export function limitConcurrency({ concurrency, perKey }: Pick<GatewayLimits, 'concurrency' | 'perKey'>): Stage {
  // A caller stays in the map when its last call ends, for the reason in `createSlots`.
  const tallies = new Map<string, { calls: number }>()
  const keyless = { calls: 0 }
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
    afterAdmission({ caller }) {
      const tally = caller === undefined ? keyless : tallyOf(caller.id)
      const whose = caller === undefined ? 'Callers without a key' : 'This key'
      if (tally.calls >= perKey) throw crowded('rate-limit', `${whose} may have ${perKey} calls under way at once.`)
      if (all >= concurrency) throw crowded('overloaded', 'The gateway has as many calls under way as it takes.')
      all++
      if (tally.calls++ === 0 && tally !== keyless) idle--
    },
    onSettle({ caller }) {
      const tally = caller === undefined ? keyless : tallyOf(caller.id)
      all--
      if (--tally.calls === 0 && tally !== keyless && ++idle > MOST_IDLE) forgetIdle()
    },
  }
}

/** Calls end all the time: the caller may try again soon. */
function crowded(kind: 'rate-limit' | 'overloaded', message: string): DragomanError {
  return new DragomanError(kind, message, { code: 'too_many_concurrent_requests', retryAfter: 1 })
}
