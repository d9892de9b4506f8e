import type { Batch } from '@dragoman/accounts/store'
import type { Counted, Counters, Order } from './counters.ts'

/** What is known of an instance that sends its batches here. */
export interface Instance {
  /** Redis has all of its open calls. */
  isSynced: boolean
  /** Redis has executed an order of it. */
  isKnown: boolean
  /** Open calls whose tokens are in the buckets of Redis. */
  readonly counted: Set<string>
}

/** Sends an order of an instance to Redis. Undefined if Redis has failed. */
export type Ask = (
  batch: Batch,
  instance: Instance,
  order: Omit<Order, 'instance' | 'ttlMs' | 'isKnown'>,
) => Promise<Counted | undefined>

/** The time after a failure in which Redis is not asked. */
const RETRY_MS = 1000

export function createAsk(
  counters: Counters,
  onError: (error: Error) => void,
): { readonly ask: Ask; readonly isWorthATry: () => boolean } {
  let retryAt = 0
  return {
    async ask({ instance: id, ttlMs }, instance, order) {
      try {
        const counted = await counters.run({ instance: id, ttlMs, isKnown: instance.isKnown, ...order })
        instance.isKnown = true
        return counted
      } catch (error) {
        instance.isSynced = false
        retryAt = performance.now() + RETRY_MS
        onError(error instanceof Error ? error : new Error('Redis has failed.'))
        return undefined
      }
    },
    isWorthATry: () => counters.isReady() && performance.now() >= retryAt,
  }
}
