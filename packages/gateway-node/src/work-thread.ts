import { parentPort } from 'node:worker_threads'
import { asDragomanError } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { createWorkServer, plainError, type SentOrder, type Delivery } from '@dragoman/gateway'

// The entry of a thread that `createThreadOffload` starts.
const answer = createWorkServer(protocols)

const deliver = (delivery: Delivery | undefined): void => {
  if (delivery === undefined) return
  const { message, transfer } = delivery
  try {
    parentPort?.postMessage(message, transfer)
  } catch (thrown) {
    // One result that cannot be sent must not end other work in this thread.
    parentPort?.postMessage({ id: message.id, error: plainError(asDragomanError(thrown)) })
  }
}

parentPort?.on('message', (sent: SentOrder) => {
  const delivery = answer(sent)
  if (delivery instanceof Promise) void delivery.then(deliver) // neither rejects
  else deliver(delivery)
})
