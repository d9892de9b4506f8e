import { isMainThread } from 'node:worker_threads'

/** Loaded before a server that the audit starts: ends it when the audit goes away, however that ends, because that closes the pipe. */
if (isMainThread) {
  process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'))
  process.stdin.resume()
  // A server that ends by itself does not wait for the pipe.
  if ('unref' in process.stdin) process.stdin.unref()
}
