import { rmSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before a server that a test starts: ends it when the process of the test goes away, which closes the pipe. A test that takes too
 * long is ended without a chance to do it.
 */
if (isMainThread) {
  process.stdin.once('close', () => {
    rmSync(process.env['DRAGOMAN_DATA'] ?? '', { recursive: true, force: true })
    process.kill(process.pid, 'SIGKILL')
  })
  process.stdin.resume()
  // A server that ends by itself does not wait for the pipe.
  if ('unref' in process.stdin) process.stdin.unref()
}
