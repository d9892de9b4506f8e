import { protocols } from '@dragoman/core/protocols'
import { createOffload, type Offload } from '@dragoman/gateway'
import { createWorkThreads, type WorkThreadsOptions } from './work-threads.ts'

export interface ThreadOffloadOptions extends Omit<WorkThreadsOptions, 'entry' | 'most'> {
  /** Bodies of this many bytes or more are offloaded. */
  readonly from?: number | undefined
  /** The maximum number of threads. Default: one less than there are cores, 1 to 4. */
  readonly threads?: number | undefined
}

export interface ThreadOffload extends Offload {
  /** Stops the threads. Bodies in progress fail. */
  close(): Promise<void>
}

/** TypeScript in the repository, JavaScript in an installed package. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './work-thread.ts' : './work-thread.js', import.meta.url)

/** Parses and translates large bodies in other threads, so that they do not block the event loop. */
export function createThreadOffload(options: ThreadOffloadOptions = {}): ThreadOffload {
  const { from = 256 * 1024, threads: most, idleMs, heapMb } = options
  const threads = createWorkThreads({ entry: ENTRY, most, idleMs, heapMb })
  return { ...createOffload({ from, protocols, borrow: () => threads.borrow() }), close: () => threads.close() }
}
