import type { Exchange } from '../call/exchange.ts'
import type { Queues, Ticket } from '../health/queues.ts'
import type { Route } from '../models/route.ts'

/** Waits until the provider may have another call. `leaveQueue` ends this, whether the call waits or runs. */
export function enterQueue(
  queues: Queues,
  exchange: Exchange,
  { provider }: Route,
  go: () => void,
  refuse: (reason: string) => void,
): void {
  const entrant: { ticket: Ticket | undefined; isLeft: boolean } = { ticket: undefined, isLeft: false }
  const leave = (): void => {
    entrant.isLeft = true
    entrant.ticket?.leave()
  }
  exchange.leaveQueue = leave
  entrant.ticket = queues.enter(provider.name, go, (why) => refuse(REASON_OF[why]))
  // Some transports answer before this.
  if (entrant.isLeft) entrant.ticket.leave()
}

const REASON_OF = {
  full: 'too many calls wait for its provider',
  late: 'its provider could not take it in time',
} as const
