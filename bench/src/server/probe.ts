import { monitorEventLoopDelay, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks'

/**
 * Loaded before every Node server under test, the yardstick too: how long it collected garbage, and how long its event loop stood
 * still at most.
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

// Any question is answered with what was since the last one.
process.on('message', () => {
  add(observer.takeRecords())
  const stallMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS)
  process.send?.({ gcMs, stallMs } satisfies Pauses)
  gcMs = 0
  delays.reset()
})
process.channel?.unref()
