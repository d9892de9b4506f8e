import { parentPort, workerData } from 'node:worker_threads'
import { createReaderMethods } from './reader-methods.ts'
import { createThreadMethods } from './thread-methods.ts'
import type { Answered, Asked, ThreadData, ThreadError } from './threads.ts'

const { task, options } = workerData as ThreadData // from startThread
const methods = task === 'read' ? createReaderMethods(options) : createThreadMethods(options)

parentPort?.on('message', ({ id, method, values }: Asked) => {
  parentPort?.postMessage(answer(id, method, values))
})

function answer(id: number, method: Asked['method'], values: Asked['values']): Answered {
  try {
    return { id, result: Reflect.apply(methods[method as keyof typeof methods], undefined, values) } // one that this thread has
  } catch (error) {
    const { message, code, errcode } = error as Error & Omit<ThreadError, 'message'> // SQLite's, Node's, or ours
    return { id, error: { message, code, errcode } }
  }
}
