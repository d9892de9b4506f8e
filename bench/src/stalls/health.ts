import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// A thread of `look`: requests the health check of a server repeatedly, and reports the longest wait.
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longest = 0
const stop = new AbortController()

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    get({ port: workerData as number, path: '/healthz', agent }, (response) => {
      response.resume().on('end', () => {
        longest = Math.max(longest, performance.now() - begun)
        resolve()
      })
    }).on('error', reject)
  })
}

parentPort?.on('message', () => stop.abort())
await ask()
longest = 0
parentPort?.postMessage('asking')
while (!stop.signal.aborted) {
  await ask()
  await new Promise((resolve) => setTimeout(resolve, 2))
}
agent.destroy()
parentPort?.postMessage(longest)
