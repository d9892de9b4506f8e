import type { Clock } from '@dragoman/core/provider'

export interface QueueLimits {
  /** The number of calls that run at once. */
  readonly concurrency: number
  /** The number of calls that wait. */
  readonly queue: number
  /** The longest wait. */
  readonly waitMs: number
}

/** Calls to a provider with limits run side by side up to its concurrency; the others wait in the order in which they came. */
export interface Queues {
  /**
   * Calls either `go`, or `refuse`, or neither if the ticket is cancelled first. Both can be called before `enter` returns, and must not
   * throw. A provider without limits is never waited for.
   */
  enter(provider: string, go: () => void, refuse: (why: 'full' | 'late') => void): Ticket
}

export interface Ticket {
  /** The call does not wait any longer. Does nothing once it runs. */
  cancel(): void
  /** The call is over, whether it ran or waited. */
  leave(): void
}

interface Entrant {
  readonly go: () => void
  state: 'waiting' | 'running' | 'over'
  /** Cancels the timer of its wait. */
  callOff: (() => void) | undefined
}

const NO_TICKET: Ticket = { cancel() {}, leave() {} }

export function createQueues(clock: Pick<Clock, 'after'>, limits: ReadonlyMap<string, QueueLimits>): Queues {
  const queues = new Map(Array.from(limits, ([provider, its]) => [provider, createQueue(clock, its)] as const))
  return {
    enter(provider, go, refuse) {
      const enter = queues.get(provider)
      if (enter !== undefined) return enter(go, refuse)
      go()
      return NO_TICKET
    },
  }
}

function createQueue(clock: Pick<Clock, 'after'>, { concurrency, queue, waitMs }: QueueLimits) {
  /** In the order in which they came. */
  const waiting = new Set<Entrant>()
  let running = 0

  const run = (entrant: Entrant): void => {
    running++
    entrant.state = 'running'
    entrant.go()
  }
  const stopWaiting = (entrant: Entrant): void => {
    waiting.delete(entrant)
    entrant.callOff?.()
    entrant.state = 'over'
  }
  const runWaiting = (): void => {
    for (const entrant of waiting) {
      if (running >= concurrency) return
      stopWaiting(entrant)
      run(entrant)
    }
  }
  const ticketOf = (entrant: Entrant): Ticket => ({
    cancel() {
      if (entrant.state === 'waiting') stopWaiting(entrant)
    },
    leave() {
      if (entrant.state === 'waiting') return stopWaiting(entrant)
      if (entrant.state === 'over') return
      entrant.state = 'over'
      running--
      runWaiting()
    },
  })

  return (go: () => void, refuse: (why: 'full' | 'late') => void): Ticket => {
    const entrant: Entrant = { go, state: 'waiting', callOff: undefined }
    // No call is overtaken: a slot is free only if no call waits.
    if (running < concurrency) run(entrant)
    else if (waiting.size >= queue) {
      refuse('full')
      return NO_TICKET
    } else {
      waiting.add(entrant)
      entrant.callOff = clock.after(waitMs, () => {
        stopWaiting(entrant)
        refuse('late')
      })
    }
    return ticketOf(entrant)
  }
}
