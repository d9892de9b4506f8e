/** Loaded before the server under test: the only part of the benchmark in its process. Reports the size of its heap. */
process.on('message', () => {
  globalThis.gc?.()
  process.send?.(process.memoryUsage().heapUsed)
})
process.channel?.unref()
