import { monitorEventLoopDelay, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks'

/**
 * Loaded before every Node server under test, also the yardstick. Measures the time spent on garbage collection, and the longest time
 * that the event loop was blocked.
 */
export interface Pauses {
  readonly gcMs: number
  readonly stallMs: number
}

const RESOLUTION_MS = 10
let gcMs = 0
const add = (entries: readonly PerformanceEntry[]): void => {
  for (const { duration } of entries) gcMs += duration
}
const observer = new PerformanceObserver((list) => add(list.getEntries()))
observer.observe({ entryTypes: ['gc'] })
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delays.enable()

// Every message is answered with the figures since the last one.
process.on('message', () => {
  add(observer.takeRecords())
  const stallMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS)
  process.send?.({ gcMs, stallMs } satisfies Pauses)
  gcMs = 0
  delays.reset()
})
process.channel?.unref()
