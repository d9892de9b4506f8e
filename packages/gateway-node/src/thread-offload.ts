import { availableParallelism } from 'node:os'
import { protocols } from '@dragoman/core'
import { createOffload, type Offload } from '@dragoman/gateway'
import { createWorkThreads } from './work-threads.ts'

export interface ThreadOffloadOptions {
  /** Bodies of this many bytes or more are handed over. */
  readonly from?: number | undefined
  /** How many threads there are at the most. */
  readonly threads?: number | undefined
  /** How long a thread is kept when it has nothing to do, in milliseconds. */
  readonly idleMs?: number | undefined
  /** How large the heap of a thread may become, in megabytes. */
  readonly heapMb?: number | undefined
}

export interface ThreadOffload extends Offload {
  /** Stops the threads; what they work on fails. */
  close(): Promise<void>
}

/** Has large bodies parsed and translated by other threads, so that the event loop answers everybody else meanwhile. */
export function createThreadOffload(options: ThreadOffloadOptions = {}): ThreadOffload {
  const { from = 1024 * 1024, idleMs = 30_000, heapMb = 2048 } = options
  // One core is left for the event loop; beyond a few, the memory of the bodies is what there is too little of.
  const { threads: most = Math.min(4, Math.max(1, availableParallelism() - 1)) } = options
  const threads = createWorkThreads({ most, idleMs, heapMb })
  return { ...createOffload({ from, protocols, borrow: () => threads.borrow() }), close: () => threads.close() }
}
