import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { DragomanError } from '@dragoman/core'
import { errorOf, type BorrowedThread, type PlainError } from '@dragoman/gateway'

/** Threads that start when there is work and stop when they are idle. */
export interface WorkThreads {
  borrow(): BorrowedThread
  close(): Promise<void>
}

export interface WorkThreadsOptions {
  /** The module that a thread runs. It receives `SentOrder` messages, and sends `OrderResult` messages. */
  readonly entry: URL
  /** The maximum number of threads. Default: one less than there are cores, 1 to 4. */
  readonly most?: number | undefined
  /** How long an idle thread is kept, in milliseconds. */
  readonly idleMs?: number | undefined
  /** The heap limit of a thread, in megabytes. */
  readonly heapMb?: number | undefined
}

/** An order with its id. */
export interface SentOrder {
  readonly id: number
  readonly order: unknown
}

export interface OrderResult {
  readonly id: number
  readonly result?: unknown
  readonly error?: PlainError
}

// One core is left for the event loop. With more than a few threads, memory is the limit.
const mostThreads = (): number => Math.min(4, Math.max(1, availableParallelism() - 1))

export function createWorkThreads(options: WorkThreadsOptions): WorkThreads {
  const { entry, most = mostThreads(), idleMs = 300_000, heapMb = 2048 } = options
  let threads: readonly Thread[] = []
  const start = (): Thread => {
    const thread = startThread(entry, heapMb, () => {
      threads = threads.filter((each) => each !== thread)
    })
    threads = [...threads, thread]
    return thread
  }
  /** An idle thread, a new one, or the least busy one. */
  const choose = (): Thread => {
    const [best] = threads.toSorted((left, right) => left.borrowed - right.borrowed)
    return best !== undefined && (best.borrowed === 0 || threads.length >= most) ? best : start()
  }
  return {
    borrow() {
      const thread = choose()
      thread.borrowed++
      clearTimeout(thread.rest)
      return {
        ask: (order, transfer) => thread.ask(order, transfer),
        tell: (order) => thread.tell(order),
        giveBack() {
          if (--thread.borrowed > 0) return
          thread.rest = setTimeout(() => void thread.stop(), idleMs).unref()
        },
      }
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

interface Thread {
  /** The number of bodies in progress. */
  borrowed: number
  /** Stops the thread when it has been idle long enough. */
  rest: NodeJS.Timeout | undefined
  ask(order: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown>
  tell(order: unknown): void
  stop(): Promise<unknown>
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: DragomanError): void
}

function startThread(entry: URL, heapMb: number, onGone: () => void): Thread {
  const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: heapMb }, stdin: false })
  worker.unref()
  const waiting = new Map<number, Waiting>()
  let orders = 0
  let lost: DragomanError | undefined
  const lose = (error: DragomanError): void => {
    if (lost !== undefined) return
    lost = error
    onGone()
    for (const asker of waiting.values()) asker.reject(error)
    waiting.clear()
  }
  worker.on('message', ({ id, result, error }: OrderResult) => {
    const asker = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asker?.resolve(result)
    else asker?.reject(errorOf(error))
  })
  worker.on('error', (error: Error) => lose(lossOf(error)))
  worker.on('exit', () => lose(new DragomanError('unavailable', 'The thread that worked on this body has stopped.')))
  return {
    borrowed: 0,
    rest: undefined,
    ask: (order, transfer) =>
      new Promise((resolve, reject) => {
        if (lost !== undefined) return reject(lost)
        const sent: SentOrder = { id: orders++, order }
        waiting.set(sent.id, { resolve, reject })
        worker.postMessage(sent, transfer)
      }),
    tell(order) {
      if (lost === undefined) worker.postMessage({ id: orders++, order } satisfies SentOrder)
    },
    stop: () => worker.terminate(),
  }
}

function lossOf(error: Error): DragomanError {
  const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isFull
    ? new DragomanError('too-large', 'The body takes more memory than the gateway has for one.', { cause: error })
    : new DragomanError('internal', 'The gateway failed to handle this request.', { cause: error })
}
