import { parentPort, workerData } from 'node:worker_threads'
import { partsOf } from './parts.ts'
import { createReaderMethods } from './reader-methods.ts'
import { createThreadMethods } from './thread-methods.ts'
import type { ThreadResult, ThreadCall, ThreadData, ThreadError } from './threads.ts'

const { task, options } = workerData as ThreadData // from startThread
const methods = task === 'read' ? createReaderMethods(options) : createThreadMethods(options)
/** The rows that were not asked for yet. */
const left = new Map<number, unknown[]>()

parentPort?.on('message', (call: ThreadCall) => {
  parentPort?.postMessage('method' in call ? answer(call) : nextPart(call.id))
})

function answer({ id, method, values }: Extract<ThreadCall, { readonly method: unknown }>): ThreadResult {
  try {
    const whole: unknown = Reflect.apply(methods[method as keyof typeof methods], undefined, values) // one that this thread has
    const { first, others } = partsOf(whole)
    if (others.length > 0) left.set(id, others)
    return { id, result: first, hasMore: others.length > 0 }
  } catch (error) {
    const { message, code, errcode } = error as Error & Omit<ThreadError, 'message'> // SQLite's, Node's, or ours
    return { id, error: { message, code, errcode } }
  }
}

function nextPart(id: number): ThreadResult {
  const parts = left.get(id) ?? []
  const result = parts.shift()
  if (parts.length === 0) left.delete(id)
  return { id, result, hasMore: parts.length > 0 }
}
