import { parentPort } from 'node:worker_threads'
import { createSimAnswers, type SimCall } from '../src/index.ts'

// Answers one call in a thread, whose memory a test can limit.
parentPort?.once('message', (call: SimCall) => {
  void Promise.resolve(createSimAnswers({})(call)).then(({ status }) => parentPort?.postMessage(status))
})
