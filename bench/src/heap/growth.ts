import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { median } from '../table.ts'
import type { Operation } from './cases.ts'

/** Node is started with these: the new objects of a whole window have room, and nothing is collected. */
export const HEAP_FLAGS = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512']

/** In windows: code that is not optimised yet makes more garbage. */
const WARM_UP = 6
const WINDOWS = 5
const MOST_WINDOWS = 20

/**
 * Bytes by which the heap grows per 1,000 operations, array buffers outside of it included: the middle of five windows in which
 * nothing was collected.
 */
export async function growthOf(operation: Operation, count: number): Promise<number> {
  for (let i = 0; i < WARM_UP; i++) await windowOf(operation, count)
  const windows: number[] = []
  for (let i = 0; i < MOST_WINDOWS && windows.length < WINDOWS; i++) {
    const grown = await windowOf(operation, count)
    if (grown !== undefined) windows.push((grown / count) * 1000)
  }
  if (windows.length < WINDOWS) throw new Error('Collections ran in the windows: the semi-space is too small for them.')
  return Math.round(median(windows))
}

/** Undefined when something was collected meanwhile. */
async function windowOf(operation: Operation, count: number): Promise<number | undefined> {
  // A full collection would throw optimised code away, with the hidden classes that nobody uses at that moment.
  globalThis.gc?.({ type: 'minor' })
  await nextTurn()
  let collections = 0
  const observer = new PerformanceObserver((list) => (collections += list.getEntries().length))
  observer.observe({ entryTypes: ['gc'] })
  const before = bytesInUse()
  for (let i = 0; i < count; i++) {
    const result = operation()
    if (result instanceof Promise) await result
  }
  const grown = bytesInUse() - before
  await nextTurn()
  collections += observer.takeRecords().length
  observer.disconnect()
  return collections === 0 ? grown : undefined
}

function bytesInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
