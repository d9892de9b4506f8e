/** Loaded before the server under test, and the only part of the benchmark in its process: says how large its heap is. */
process.on('message', () => {
  globalThis.gc?.()
  process.send?.(process.memoryUsage().heapUsed)
})
process.channel?.unref()
