import { parentPort } from 'node:worker_threads'
import { protocols } from '@dragoman/core/protocols'
import { createWorkServer, type Asked, type Delivery } from '@dragoman/gateway'

// The entry of a thread that `createThreadOffload` starts.
const answer = createWorkServer(protocols)

const deliver = (delivery: Delivery | undefined): void => {
  if (delivery !== undefined) parentPort?.postMessage(delivery.answered, delivery.transfer)
}

parentPort?.on('message', (asked: Asked) => {
  const delivery = answer(asked)
  if (delivery instanceof Promise) void delivery.then(deliver)
  else deliver(delivery)
})
