import { Worker } from 'node:worker_threads'
import type { DatabaseOptions } from './database.ts'
import { joinParts } from './parts.ts'
import type { ThreadMethods } from './thread-methods.ts'

type Method = keyof ThreadMethods

/** What a thread is for: one that reads has a part of the methods. */
export interface ThreadData {
  readonly task: 'read' | 'write'
  readonly options: DatabaseOptions
}

/** A call, or the request for more of its result. */
export type ThreadCall =
  | { readonly id: number; readonly method: Method; readonly values: readonly unknown[] }
  | { readonly id: number }

export interface ThreadResult {
  readonly id: number
  readonly result?: unknown
  /** Further rows are sent one part after the other: the event loop does other things in between. */
  readonly hasMore?: boolean
  readonly error?: ThreadError
}

/** What is left of an error on its way between threads. */
export interface ThreadError {
  readonly message: string
  readonly code?: string | undefined
  readonly errcode?: number | undefined
}

/** A thread with a connection of its own to the file. It does one thing after the other. */
export interface Thread {
  call<Name extends Method>(
    method: Name,
    ...values: Parameters<ThreadMethods[Name]>
  ): Promise<ReturnType<ThreadMethods[Name]>>
  close(): Promise<void>
}

interface Waiting {
  /** What has arrived of the result. */
  readonly parts: unknown[]
  resolve(this: void, result: unknown): void
  reject(this: void, error: Error): void
}

/** Results of threads are short-lived: without this limit, each thread keeps 100 MB and more for them. */
const SMALL = { maxYoungGenerationSizeMb: 8 }
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url)

/** The thread does not keep the process alive, except while it works. */
export function startThread(task: ThreadData['task'], options: DatabaseOptions): Thread {
  const worker = new Worker(ENTRY, { workerData: { task, options } satisfies ThreadData, resourceLimits: SMALL })
  const waiting = new Map<number, Waiting>()
  let count = 0
  worker.unref()
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', (error) => failAll(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => failAll(new Error('the thread has ended')))
  worker.on('message', ({ id, result, hasMore, error }: ThreadResult) => {
    const asked = waiting.get(id)
    asked?.parts.push(result)
    if (hasMore === true) return worker.postMessage({ id } satisfies ThreadCall)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    if (error !== undefined) return asked?.reject(Object.assign(new Error(error.message), error))
    const [first, ...others] = asked?.parts ?? []
    return asked?.resolve(joinParts(first, others as unknown[][])) // lists of rows
  })
  const call: Thread['call'] = async (method, ...values) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++count
    waiting.set(id, { parts: [], resolve, reject })
    worker.ref()
    worker.postMessage({ id, method, values } satisfies ThreadCall)
    return (await promise) as ReturnType<ThreadMethods[typeof method]> // by the method's name
  }
  return {
    call,
    async close() {
      await call('close')
      await worker.terminate()
    },
  }
}
