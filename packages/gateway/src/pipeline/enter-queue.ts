import type { Exchange } from '../call/exchange.ts'
import type { Queues, Ticket } from '../health/queues.ts'
import type { Route } from '../models/route.ts'

/** Waits for a place among the calls of a provider. `leaveQueue` gives it up, whether the call waits or runs. */
export function enterQueue(
  queues: Queues,
  exchange: Exchange,
  { provider }: Route,
  go: () => void,
  refuse: (reason: string) => void,
): void {
  const place: { ticket: Ticket | undefined; isLeft: boolean } = { ticket: undefined, isLeft: false }
  const leave = (): void => {
    place.isLeft = true
    place.ticket?.leave()
  }
  exchange.leaveQueue = leave
  place.ticket = queues.enter(provider.name, go, (why) => refuse(REASON_OF[why]))
  // Some transports answer before this.
  if (place.isLeft) place.ticket.leave()
}

const REASON_OF = {
  full: 'too many calls wait for its provider',
  late: 'its provider had no place in time',
} as const
