import { Worker } from 'node:worker_threads'
import type { DatabaseOptions } from './database.ts'
import type { ThreadMethods } from './thread-methods.ts'

type Method = keyof ThreadMethods

/** What a thread is for: one that reads has a part of the methods. */
export interface ThreadData {
  readonly task: 'read' | 'write'
  readonly options: DatabaseOptions
}

export interface Asked {
  readonly id: number
  readonly method: Method
  readonly values: readonly unknown[]
}

export interface Answered {
  readonly id: number
  readonly result?: unknown
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
  resolve(this: void, result: unknown): void
  reject(this: void, error: Error): void
}

const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url)

/** The thread does not keep the process alive, except while it works. */
export function startThread(task: ThreadData['task'], options: DatabaseOptions): Thread {
  const worker = new Worker(ENTRY, { workerData: { task, options } satisfies ThreadData })
  const waiting = new Map<number, Waiting>()
  let count = 0
  worker.unref()
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', (error) => failAll(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => failAll(new Error('the thread has ended')))
  worker.on('message', ({ id, result, error }: Answered) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(Object.assign(new Error(error.message), error))
  })
  const call: Thread['call'] = async (method, ...values) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++count
    waiting.set(id, { resolve, reject })
    worker.ref()
    worker.postMessage({ id, method, values } satisfies Asked)
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
