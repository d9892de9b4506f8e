import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { median } from '../table.ts'
import type { Operation } from './exchange.ts'

/** Node options with enough memory for the new objects of a whole window, so that nothing is collected. */
export const WINDOW_FLAGS = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512']

export interface Windows {
  /** The number of operations in one window. */
  readonly operations: number
  /** Windows before the first one that counts. */
  readonly warmUp: number
}

const WINDOWS = 3
const MOST_WINDOWS = 20

/**
 * How many bytes the heap grows per 1,000 operations, with array buffers outside of it: the median of three windows without a
 * collection.
 */
export async function growthOf(operation: Operation, { operations, warmUp }: Windows): Promise<number> {
  for (let i = 0; i < warmUp; i++) await windowOf(operation, operations)
  const windows: number[] = []
  for (let i = 0; i < MOST_WINDOWS && windows.length < WINDOWS; i++) {
    const growth = await windowOf(operation, operations)
    if (growth !== undefined) windows.push((growth / operations) * 1000)
  }
  if (windows.length < WINDOWS)
    throw new Error('Garbage was collected during the windows: the semi-space is too small.')
  return Math.round(median(windows))
}

/** Undefined if something was collected during the window. */
async function windowOf(operation: Operation, count: number): Promise<number | undefined> {
  // A full collection would discard optimized code, together with the hidden classes that are not in use at that moment.
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
  const growth = bytesInUse() - before
  await nextTurn()
  collections += observer.takeRecords().length
  observer.disconnect()
  return collections === 0 ? growth : undefined
}

function bytesInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
