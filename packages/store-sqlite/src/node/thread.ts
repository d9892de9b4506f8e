import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseOptions } from './database.ts'
import { createThreadMethods } from './thread-methods.ts'
import type { Answered, Asked } from './threads.ts'

const methods = createThreadMethods(workerData as DatabaseOptions) // from startThread

parentPort?.on('message', ({ id, method, values }: Asked) => {
  parentPort?.postMessage(answer(id, method, values))
})

function answer(id: number, method: Asked['method'], values: Asked['values']): Answered {
  try {
    return { id, result: Reflect.apply(methods[method], undefined, values) }
  } catch (error) {
    const { message, errcode } = error as { readonly message: string; readonly errcode?: number } // SQLite's, or ours
    return { id, error: { message, errcode } }
  }
}
