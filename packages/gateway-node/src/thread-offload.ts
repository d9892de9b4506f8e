import { protocols } from '@dragoman/core'
import { createOffload, type Offload } from '@dragoman/gateway'
import { createWorkThreads, type WorkThreadsOptions } from './work-threads.ts'

export interface ThreadOffloadOptions extends Omit<WorkThreadsOptions, 'entry' | 'most'> {
  /** Bodies of this many bytes or more are handed over. */
  readonly from?: number | undefined
  /** How many threads there are at the most; one less than there are cores, 1 to 4, when absent. */
  readonly threads?: number | undefined
}

export interface ThreadOffload extends Offload {
  /** Stops the threads; what they work on fails. */
  close(): Promise<void>
}

/** The source runs as it is in the repository, and compiled where it is installed. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './work-thread.ts' : './work-thread.js', import.meta.url)

/** Has large bodies parsed and translated by other threads, so that the event loop answers everybody else meanwhile. */
export function createThreadOffload(options: ThreadOffloadOptions = {}): ThreadOffload {
  const { from = 256 * 1024, threads: most, idleMs, heapMb } = options
  const threads = createWorkThreads({ entry: ENTRY, most, idleMs, heapMb })
  return { ...createOffload({ from, protocols, borrow: () => threads.borrow() }), close: () => threads.close() }
}
