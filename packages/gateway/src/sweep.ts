import { DragomanError } from '@dragoman/core'
import type { Exchange } from './call/exchange.ts'
import type { Clock } from '@dragoman/core/provider'
import type { Slots } from './ports/slots.ts'

const INTERVAL_MS = 1000

/** Ends calls whose deadline has passed. One timer is enough for all of them, because deadlines are minutes long. */
export interface Sweep {
  /** Call it when there are running calls. */
  start(): void
  stop(): void
}

export function createSweep(clock: Clock, totalMs: number, exchanges: Pick<Slots<Exchange>, 'each'>): Sweep {
  let callOff: (() => void) | undefined
  const interval = Math.min(INTERVAL_MS, totalMs)
  const sweep = (): void => {
    callOff = clock.after(interval, sweep)
    const now = clock.now()
    exchanges.each((exchange) => {
      if (exchange.deadline <= now) expire(exchange)
    })
  }
  return {
    start() {
      callOff ??= clock.after(interval, sweep)
    },
    stop() {
      callOff?.()
      callOff = undefined
    },
  }
}

/** The cause can be a slow body, a stage, the upstream, or a client that reads slowly. */
function expire({ awaitsBody, running, answer }: Exchange): void {
  const late = awaitsBody
    ? new DragomanError('request-timeout', 'The body did not arrive in time.')
    : new DragomanError('timeout', 'The answer took longer than the gateway allows.')
  if (running === undefined) answer.fail(late)
  else running.stop(late)
}
