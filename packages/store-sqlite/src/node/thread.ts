import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseOptions } from './database.ts'
import { createThreadMethods } from './thread-methods.ts'
import type { Answered, Asked, ThreadError } from './threads.ts'

const methods = createThreadMethods(workerData as DatabaseOptions) // from startThread

parentPort?.on('message', ({ id, method, values }: Asked) => {
  parentPort?.postMessage(answer(id, method, values))
})

function answer(id: number, method: Asked['method'], values: Asked['values']): Answered {
  try {
    return { id, result: Reflect.apply(methods[method], undefined, values) }
  } catch (error) {
    const { message, code, errcode } = error as Error & Omit<ThreadError, 'message'> // SQLite's, Node's, or ours
    return { id, error: { message, code, errcode } }
  }
}
