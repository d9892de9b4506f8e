/** The promises that wait for the same event. */
export interface Waiters {
  count(): number
  wait(): Promise<void>
  finish(): void
  refuse(thrown: unknown): void
}

export function createWaiters(): Waiters {
  let waiting: PromiseWithResolvers<void>[] = []
  const take = (): readonly PromiseWithResolvers<void>[] => {
    const all = waiting
    waiting = []
    return all
  }
  return {
    count: () => waiting.length,
    wait() {
      const waiter = Promise.withResolvers<void>()
      waiting.push(waiter)
      return waiter.promise
    },
    finish() {
      for (const { resolve } of take()) resolve()
    },
    refuse(thrown) {
      for (const { reject } of take()) reject(thrown)
    },
  }
}
