import { parentPort } from 'node:worker_threads'
import { asDragomanError } from '@dragoman/core'
import { plainError } from '@dragoman/gateway'
import type { OrderResult, SentOrder } from '@dragoman/gateway-node'
import { createSimAnswers } from '@dragoman/provider-sim'
import type { SimOrder } from './sim.ts'

// The entry of the thread in which the simulator answers large requests and draws.
parentPort?.on('message', ({ id, order }: SentOrder) => {
  void answer(id, order as SimOrder).then((answered) => parentPort?.postMessage(answered)) // the only kind of message to this thread
})

async function answer(id: number, { call, tokensPerSecond }: SimOrder): Promise<OrderResult> {
  try {
    return { id, result: await createSimAnswers({ tokensPerSecond })(call) }
  } catch (thrown) {
    return { id, error: plainError(asDragomanError(thrown)) }
  }
}
