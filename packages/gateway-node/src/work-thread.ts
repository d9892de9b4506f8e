import { parentPort } from 'node:worker_threads'
import { protocols } from '@dragoman/core/protocols'
import { createWorkServer, type Asked } from '@dragoman/gateway'

// The entry of a thread that `createThreadOffload` starts.
const answer = createWorkServer(protocols)

parentPort?.on('message', (asked: Asked) => {
  const delivery = answer(asked)
  if (delivery !== undefined) parentPort?.postMessage(delivery.answered, delivery.transfer)
})
