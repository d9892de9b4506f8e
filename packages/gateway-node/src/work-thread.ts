import { parentPort } from 'node:worker_threads'
import { asDragomanError } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { createWorkServer, plainError, type Asked, type Delivery } from '@dragoman/gateway'

// The entry of a thread that `createThreadOffload` starts.
const answer = createWorkServer(protocols)

const deliver = (delivery: Delivery | undefined): void => {
  if (delivery === undefined) return
  const { answered, transfer } = delivery
  try {
    parentPort?.postMessage(answered, transfer)
  } catch (thrown) {
    // One answer that cannot be sent must not end the work of others in this thread.
    parentPort?.postMessage({ id: answered.id, error: plainError(asDragomanError(thrown)) })
  }
}

parentPort?.on('message', (asked: Asked) => {
  const delivery = answer(asked)
  if (delivery instanceof Promise) void delivery.then(deliver) // neither rejects
  else deliver(delivery)
})
